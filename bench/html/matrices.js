// matrices.js: for each matrix its contenders as bars, its spy plot and its row lengths.

const BARS = 14;                     // rows of a matrix before its button is pressed

// Nonzeros by place: a path for each of nine shades.
function drawSpy(spy, name) {
    const plot = draw("svg.spy", {viewBox: `0 0 ${spy.cols} ${spy.rows}`, role: "img",
        "shape-rendering": "crispEdges", preserveAspectRatio: "none",
        "aria-label": `Spy plot of ${name}: where its nonzeros are`});
    const paths = Array.from({length: 10}, () => "");
    spy.shades.forEach((line, row) => [...line].forEach((shade, column) => {
        paths[shade] += `M${column} ${row}h1v1h-1z`;
    }));
    for (let shade = 1; shade <= 9; shade++)
        if (paths[shade])
            plot.append(draw("path", {d: paths[shade], "fill-opacity": (0.12 + 0.88 * shade / 9)
                .toFixed(2)}));
    return plot;
}

const textOfClass = ([low, high, rows]) =>
    `${formatCount(rows)} rows of ${low === high ? low : `${low} to ${high}`}`;

function drawHistogram(classes, name) {
    const height = 56, base = 42;
    const most = Math.log1p(Math.max(...classes.map(([, , rows]) => rows)));
    const plot = draw("svg.histogram", {width: "100%", height, role: "img",
        "aria-label": `Row lengths of ${name}: ` + classes.map(textOfClass).join(", ")});
    const step = 100 / classes.length;
    const every = Math.ceil(classes.length / 6);
    classes.forEach(([low, high, rows], i) => {
        const size = rows > 0 ? Math.max(1.5, base * 0.95 * Math.log1p(rows) / most) : 0;
        plot.append(draw("rect.bar", {x: `${step * i + step * 0.06}%`, width: `${step * 0.88}%`,
            y: base - size, height: size,
            "data-tip": textOfClass([low, high, rows]) + " nonzeros"}));
        if (i % every === 0)
            plot.append(draw("text", {x: `${step * (i + 0.5)}%`, y: height - 2,
                                      "text-anchor": "middle"}, formatMany(low)));
    });
    plot.append(draw("line.base", {x1: 0, x2: "100%", y1: base, y2: base}));
    return plot;
}

function drawBar(result, group, largest) {
    const flops = flopsOf(group.matrix) / 1e9;
    const place = value => Math.min(100, 100 * value / largest) + "%";
    const rate = result.gflops ?? flops / result.seconds;
    const label = `${result.contender.label}: ${digits(rate)} GFlop/s`;
    const bar = draw("svg.bar", {role: "img", "aria-label": label, width: "100%", height: 16,
                                 "data-tip": tipOf(result) + `\n${digits(rate)} GFlop/s`});
    bar.append(draw("rect." + roleOf(result.contender), {x: 0, y: 3, height: 10, rx: 1.5,
                                                         width: place(rate)}));
    if (isNumber(result.low) && isNumber(result.high) && result.low < result.high) {
        const from = place(flops / result.high), to = place(flops / result.low);
        bar.append(draw("line.spread", {x1: from, x2: to, y1: 8, y2: 8}),
                   draw("line.spread", {x1: from, x2: from, y1: 5, y2: 11}),
                   draw("line.spread", {x1: to, x2: to, y1: 5, y2: 11}));
    }
    return bar;
}

// GFlop/s of a multiplication that reads CSR, x and y once at the rate of reading.
function roofOf(matrix) {
    return isNumber(matrix.read_gbytes_per_second) && matrix.csr_bytes > 0
        ? flopsOf(matrix) * matrix.read_gbytes_per_second / matrix.csr_bytes : null;
}

function makeBarRow(result, group, largest) {
    if (failureOf(result))
        return make("tr.failed", {}, make("th", {scope: "row"}, nameOf(result.contender)),
            make("td.reason", {colspan: 3}, makeState(result), result.failure ?? ""));
    const spread = spreadOf(result);
    return make("tr", {}, make("th", {scope: "row"}, nameOf(result.contender)),
        make("td.plot", {}, drawBar(result, group, largest)),
        make("td.number", {title: isNumber(spread) ? `± ${formatPercent(spread)}` : null},
             formatTime(result.seconds)),
        make("td.number.strong.last", {}, formatSpeed(result.speed)));
}

// The plain CSR loop, which the speeds compare with.
function makePlainRow(group, largest) {
    const rate = flopsOf(group.matrix) / group.plain / 1e9;
    return make("tr.plain", {}, make("th", {scope: "row"}, "plain CSR loop"),
        make("td.plot", {}, draw("svg.bar", {role: "img", width: "100%", height: 16,
            "aria-label": `plain CSR loop: ${digits(rate)} GFlop/s`,
            "data-tip": `plain CSR loop, ${group.name}\n${digits(rate)} GFlop/s`},
            draw("rect.base", {x: 0, y: 3, height: 10, rx: 1.5,
                               width: Math.min(100, 100 * rate / largest) + "%"}))),
        make("td.number", {}, formatTime(group.plain)),
        make("td.number.strong.last", {}, formatSpeed(1)));
}

// Rows by time; the plain CSR loop among them, what has no time at the end.
function makeBarRows(results, group, largest) {
    const rows = results.map(r => makeBarRow(r, group, largest));
    if (group.plain) {
        const slower = results.findIndex(r => !isTimed(r) || r.seconds > group.plain);
        rows.splice(slower < 0 ? rows.length : slower, 0, makePlainRow(group, largest));
    }
    return rows;
}

function makeBars(view, group) {
    const results = sortResults(view.results.get(group), COLUMNS[3], 1)
        .sort((a, b) => !isTimed(a) - !isTimed(b));
    const rates = results.filter(isTimed).map(r => flopsOf(group.matrix) / r.low / 1e9 || r.gflops);
    const roof = roofOf(group.matrix);
    const fastest = Math.max(...rates, 0);
    // A roof far above the fastest would press all bars together.
    const largest = 1.02 * (roof < 2.5 * fastest ? Math.max(fastest, roof) : fastest);
    const body = make("tbody");
    const table = make("table.plots.bars", {},
        make("caption.hidden", {}, `Contenders on ${group.name}, by time`),
        make("thead", {}, make("tr", {}, make("th", {scope: "col"}, "contender"),
            make("th.plot", {scope: "col"}, "GFlop/s"),
            make("th.number", {scope: "col"}, "time"),
            make("th.number.last", {scope: "col"}, "speed"))), body);
    const pager = makePager(results.length, BARS, 100, "contenders", count =>
        body.replaceChildren(...makeBarRows(results.slice(0, count), group, largest)));
    if (isNumber(roof) && roof <= largest)
        table.style.setProperty("--roof", 100 * roof / largest + "%");
    return make("div.race", {}, table, pager);
}

function makeFacts(matrix) {
    const rows = isNumber(matrix.max_row) ? `rows of ${formatCount(matrix.min_row)} to `
        + `${formatCount(matrix.max_row)}, on average ${digits(matrix.average_row)}` : null;
    return make("p.facts", {}, [
        `${formatCount(matrix.rows)} × ${formatCount(matrix.cols)}`,
        `${formatCount(matrix.nnz)} nonzeros`, rows,
        matrix.empty_rows > 0 ? `${formatCount(matrix.empty_rows)} empty` : null,
        `${formatBytes(matrix.csr_bytes)} in CSR with x and y`,
        isNumber(matrix.read_gbytes_per_second)
            ? `read at ${digits(matrix.read_gbytes_per_second)} GB/s` : null,
    ].filter(Boolean).join(" · "));
}

function makeMatrix(view, group) {
    const {matrix} = group;
    const spied = matrix.spy?.shades?.length > 0, counted = matrix.row_lengths?.length > 0;
    const figure = (plot, text) => make("figure", {}, plot, make("figcaption", {}, text));
    return make("article.matrix", {},
        make("h3", {}, matrix.name || matrix.input,
             make("span.tag", {}, describeTypes(matrix)),
             group.cut ? make("span.state.wrong", {}, "interrupted") : null),
        matrix.input && matrix.input !== group.name ? make("p.input", {}, make("code", {},
            matrix.input)) : null,
        makeFacts(matrix),
        make("div.pair", {},
             spied || counted ? make("div.shape", {},
                 spied ? figure(drawSpy(matrix.spy, group.name), "nonzeros") : null,
                 counted ? figure(drawHistogram(matrix.row_lengths, group.name),
                                  "rows by length, logarithmic") : null) : null,
             makeBars(view, group)));
}

function renderMatrices(view, place) {
    const list = make("div.matrices");
    place.append(make("p.hint", {}, "Bars: 2 nnz over the median time; the whisker is the 95 % "
        + "confidence interval. Dashed line: a multiplication that reads CSR, x and y once, at the "
        + "rate of reading measured in the same rounds."), list);
    place.append(makePager(view.groups.length, 12, 24, "matrices", count => {
        for (const group of view.groups.slice(list.children.length, count))
            list.append(makeMatrix(view, group));
    }));
}
