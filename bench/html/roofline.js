// roofline.js: rates against what the memory allows: over the arithmetic intensity, and over the
// size of the matrix.

const PLOT = {height: 300, left: 9, right: 2, top: 12, bottom: 42};

// An empty plot with logarithmic axes; point(x, y) gives places.
function makePlot(label, xs, ys, xText, yText, formatX, formatY) {
    const x = logScale(xs, 0.05), y = logScale(ys, 0.06);
    const plot = draw("svg.scatter", {role: "img", "aria-label": label, width: "100%",
                                      height: PLOT.height});
    const inner = PLOT.height - PLOT.top - PLOT.bottom;
    const placeX = value => PLOT.left + (100 - PLOT.left - PLOT.right) * x.place(value) / 100;
    const placeY = value => PLOT.top + inner * (1 - y.place(value) / 100);
    const bottom = PLOT.height - PLOT.bottom;
    for (const tick of y.ticks)
        plot.append(draw("line.grid", {x1: PLOT.left + "%", x2: 100 - PLOT.right + "%",
                                       y1: placeY(tick), y2: placeY(tick)}),
                    draw("text", {x: PLOT.left - 1 + "%", y: placeY(tick) + 4,
                                  "text-anchor": "end"}, formatY(tick)));
    for (const tick of x.ticks)
        plot.append(draw("line.grid", {x1: placeX(tick) + "%", x2: placeX(tick) + "%",
                                       y1: PLOT.top, y2: bottom}),
                    draw("text", {x: placeX(tick) + "%", y: bottom + 16,
                                  "text-anchor": "middle"}, formatX(tick)));
    plot.append(draw("text.title", {x: "50%", y: PLOT.height - 6, "text-anchor": "middle"}, xText),
                draw("text.title", {x: 0, y: PLOT.top - 1}, yText));
    const marks = draw("g"), above = draw("g");
    plot.append(marks, above);
    return {plot, marks, above, x, y, placeX, placeY};
}

// For each matrix the plain CSR loop, the fastest peer and our fastest.
function leadersOf(view) {
    const leader = ({matrix}, seconds, role, tip) => ({matrix, role, tip,
        flops: flopsOf(matrix) / seconds / 1e9, bytes: matrix.csr_bytes / seconds / 1e9});
    return view.groups.flatMap(group => {
        const results = view.results.get(group);
        const fastest = [true, false].map(peer =>
            fastestOf(results.filter(r => r.contender.peer === peer))).filter(Boolean)
            .map(r => leader(group, r.seconds, roleOf(r.contender), tipOf(r)));
        return group.plain ? [leader(group, group.plain, "base", `plain CSR loop, ${group.name}\n`
            + formatTime(group.plain)), ...fastest] : fastest;
    });
}

const flopsPerByte = matrix => flopsOf(matrix) / matrix.csr_bytes;

function drawLeaders(axes, leaders, xOf, yOf) {
    for (const one of leaders) {
        const share = one.bytes / one.matrix.read_gbytes_per_second;
        axes.marks.append(drawMark(axes.placeX(xOf(one)) + "%", axes.placeY(yOf(one)), one.role,
            `${one.tip}\n${digits(one.flops)} GFlop/s, ${digits(one.bytes)} GB/s`
            + (isNumber(share) ? `, ${formatPercent(share)} of reading` : ""),
            leaders.length > 200 ? 3 : 4.5));
    }
}

// Short lines at what reading allows each matrix.
function drawRoofs(axes, groups, xOf, yOf, text) {
    for (const group of groups)
        if (yOf(group.matrix) > 0)
            axes.marks.append(draw("line.roof", {"data-tip": `${group.name}: ${text}`,
                x1: axes.placeX(xOf(group.matrix)) - 1.2 + "%",
                x2: axes.placeX(xOf(group.matrix)) + 1.2 + "%",
                y1: axes.placeY(yOf(group.matrix)), y2: axes.placeY(yOf(group.matrix))}));
}

function drawIntensity(view, leaders, groups, dram) {
    const xs = groups.map(group => flopsPerByte(group.matrix));
    const roofs = groups.map(group => roofOf(group.matrix));
    const {low, high} = logScale(xs);
    const ends = dram > 0 ? [low, high] : [];
    const axes = makePlot("Roofline: GFlop/s over flop per byte", xs,
        [...leaders.map(one => one.flops), ...roofs, ...ends.map(x => x * dram)],
        "flop per byte of CSR, x and y", "GFlop/s", String, String);
    if (dram > 0) {
        axes.above.append(draw("line.dram", {x1: axes.placeX(low) + "%",
                                             y1: axes.placeY(low * dram),
                                             x2: axes.placeX(high) + "%",
                                             y2: axes.placeY(high * dram),
                                             "data-tip": `memory: ${digits(dram)} GB/s`}),
                          draw("text.dram", {x: axes.placeX(low) + "%", dx: 4,
                                            y: axes.placeY(low * dram) + 16},
                              `memory, ${digits(dram)} GB/s`));
    }
    drawRoofs(axes, groups, flopsPerByte, roofOf, "at the rate of reading");
    drawLeaders(axes, leaders, one => flopsPerByte(one.matrix), one => one.flops);
    return axes.plot;
}

function drawSizes(view, leaders, groups, dram) {
    const reads = groups.map(group => group.matrix.read_gbytes_per_second);
    const axes = makePlot("GB/s over the size in CSR", groups.map(g => g.matrix.csr_bytes),
        [...leaders.map(one => one.bytes), ...reads, dram], "bytes of CSR, x and y", "GB/s",
        formatRoundBytes, String);
    if (dram > 0)
        axes.above.append(draw("line.dram", {x1: PLOT.left + "%", x2: 100 - PLOT.right + "%",
                                            y1: axes.placeY(dram), y2: axes.placeY(dram)}),
                         draw("text.dram", {x: PLOT.left + "%", dx: 4, y: axes.placeY(dram) - 5},
                              `memory, ${digits(dram)} GB/s`));
    drawRoofs(axes, groups, m => m.csr_bytes, m => m.read_gbytes_per_second, "rate of reading");
    drawLeaders(axes, leaders, one => one.matrix.csr_bytes, one => one.bytes);
    return axes.plot;
}

function renderRoofline(view, place) {
    const groups = view.groups.filter(group => group.matrix.csr_bytes > 0 && group.matrix.nnz > 0);
    const leaders = leadersOf({...view, groups});
    if (leaders.length === 0) {
        place.append(make("p", {}, "No contender has a time."));
        return;
    }
    const rates = groups.map(g => g.matrix.dram_gbytes_per_second).filter(rate => rate > 0);
    const dram = rates.length > 0 ? rates.sort((a, b) => a - b)[rates.length >> 1] : null;
    const figure = (plot, text) => make("figure", {}, plot, make("figcaption", {}, text));
    place.append(makeLegend(view, true), make("div.columns", {},
        figure(drawIntensity(view, leaders, groups, dram), "Roofline: of each matrix our fastest "
               + "contender, the fastest peer and the plain CSR loop. The line is what memory "
               + "allows, a short dashed line what reading an array of the matrix's size allows."),
        figure(drawSizes(view, leaders, groups, dram), "The same as rates of bytes: what a cache "
               + "holds is read faster than memory. Above the dashed line a method moves less "
               + "than CSR.")));
}
