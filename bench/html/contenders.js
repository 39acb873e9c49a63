// contenders.js: all contenders side by side: a row for each, with its speed on each matrix.

const MANY_MARKS = 60;               // above it, marks of a strip are one path

// Marks along a row; more of them than MANY_MARKS become ticks of one path. middle: a bar among
// them; guide: a line in all rows; interval: the ends of a line, else those of the values.
function drawStrip(scale, results, valueOf, {role, middle, guide, label, interval}) {
    const strip = draw("svg.strip", {role: "img", "aria-label": label, width: "100%", height: 24});
    if (isNumber(guide))
        strip.append(draw("line.guide", {x1: scale.place(guide) + "%", x2: scale.place(guide) + "%",
                                         y1: 0, y2: 24}));
    if (results.length === 0)
        return strip;
    const values = results.map(valueOf);
    const [least, most] = interval ?? [Math.min(...values), Math.max(...values)];
    strip.append(draw((interval ? "line.spread." : "line.range.") + role, {
        x1: scale.place(least) + "%", x2: scale.place(most) + "%", y1: 12, y2: 12}));
    if (results.length > MANY_MARKS) {
        const path = values.map(value => `M${(scale.place(value) * 10).toFixed(1)} 7v10`).join("");
        strip.append(draw("svg", {viewBox: "0 0 1000 24", preserveAspectRatio: "none",
                                  width: "100%", height: 24},
                          draw("path.ticks." + role, {d: path})));
    } else {
        strip.append(...results.map((r, i) =>
            drawMark(scale.place(values[i]) + "%", 12, role, tipOf(r), 4)));
    }
    if (isNumber(middle) && results.length > 1)
        strip.append(draw("line.mean." + role, {x1: scale.place(middle) + "%", y1: 3,
                                                x2: scale.place(middle) + "%", y2: 21}));
    return strip;
}

function drawAxis(scale, format, unit) {
    const axis = draw("svg.axis", {width: "100%", height: 18, "aria-hidden": true});
    for (const tick of scale.ticks)
        axis.append(draw("text", {x: scale.place(tick) + "%", y: 13, "text-anchor": "middle"},
                         format(tick)));
    return make("div.axis", {}, make(unit ? "span" : "span.hidden", {}, unit || "speeds"), axis);
}

const intervalOf = r => (r && isNumber(r.ratio_low) && isNumber(r.ratio_high)
    ? [r.ratio_low, r.ratio_high] : null);

const speedWords = run => (run.hasPlain ? "plain CSR" : "the fastest contender");

function makeKeyFigure(value, text) {
    return make("div.figure", {}, make("dd", {}, value), make("dt", {}, text));
}

// The contender with the best mean among those with a time on the most matrices.
function leaderOf(view, accepts) {
    const good = view.contenders.filter(one => accepts(one) && view.speeds.get(one));
    const most = Math.max(...good.map(one => view.speeds.get(one).count));
    return good.find(one => view.speeds.get(one).count === most) ?? null;
}

function shareText(run, count, all) {
    const [one, several] = run.nouns;
    if (count === all)
        return all === 1 ? `the ${one}` : `all ${all} ${several}`;
    return `${count} of ${all} ${several}`;
}

function makeLead(view) {
    const figures = make("dl.figures");
    const all = view.groups.length;
    for (const [who, accepts] of [["", one => !one.peer],
                                  ["the fastest peer, ", one => one.peer]]) {
        const leader = leaderOf(view, accepts);
        if (!leader)
            continue;
        const speed = view.speeds.get(leader);
        const kind = all > 1 ? "geometric mean of " : "on ";
        figures.append(makeKeyFigure(formatSpeed(speed.mean), [who, make("b", {}, leader.label),
            ` over ${speedWords(view.run)}, ${kind}${shareText(view.run, speed.count, all)}`]));
    }
    const pairs = view.groups.map(group => {
        const results = view.results.get(group);
        return [fastestOf(results.filter(r => !r.contender.peer)),
                fastestOf(results.filter(r => r.contender.peer))];
    }).filter(([ours, peer]) => ours && peer);
    if (pairs.length > 0) {
        const over = summarise(pairs.map(([ours, peer]) => ({speed: peer.seconds / ours.seconds})));
        const won = pairs.filter(([ours, peer]) => ours.seconds < peer.seconds).length;
        figures.append(makeKeyFigure(formatSpeed(over.mean),
            `our fastest over the fastest peer of each ${view.run.nouns[0]}`
            + (pairs.length > 1 ? ", geometric mean" : "")));
        figures.append(makeKeyFigure(`${won} of ${pairs.length}`,
            `${view.run.nouns[pairs.length === 1 ? 0 : 1]} on which ours is the fastest`));
    }
    return figures;
}

function countBest(view) {
    const best = new Map();
    for (const group of view.groups) {
        const fastest = fastestOf(view.results.get(group));
        if (fastest)
            best.set(fastest.contender, (best.get(fastest.contender) ?? 0) + 1);
    }
    return best;
}

// The classes that matrices of the view belong to, where there are several.
function classesOf(view) {
    const classes = MATRIX_CLASSES.map(one => ({
        ...one, count: view.groups.filter(group => group.class === one.name).length}));
    const met = classes.filter(one => one.count > 0);
    return met.length > 1 ? met : [];
}

function noteFailures(results) {
    const names = ["wrong", "declined", "not timed"];
    return names.map(name => {
        const failed = results.filter(r => failureOf(r) === name);
        return failed.length === 0 ? null : make("span.state." + name.replace(" ", "-"), {
            "data-tip": failed.slice(0, 8).map(r => `${r.group.name}: ${r.failure ?? name}`)
                .join("\n")}, `${failed.length} ${name}`);
    });
}

function makeContenderRow(view, contender, scale, classes, best) {
    const results = view.byContender.get(contender);
    const speed = view.speeds.get(contender);
    const shown = results.filter(r => r.speed > 0);
    const label = speed ? `${contender.label}: ${formatSpeed(speed.least)} to ` +
        `${formatSpeed(speed.most)} on ${shown.length} matrices` : `${contender.label}: no times`;
    const one = view.groups.length === 1;
    const cells = classes.map(({name}) => {
        const mean = summarise(shown.filter(r => r.group.class === name));
        return make("td.number.wide", {}, formatSpeed(mean?.mean));
    });
    return make("tr", {},
        make("th", {scope: "row"}, nameOf(contender)),
        make("td.plot", {}, drawStrip(scale, shown, r => r.speed, {role: roleOf(contender),
            middle: speed?.mean, guide: 1, label, interval: one ? intervalOf(shown[0]) : null})),
        make("td.number.strong", {}, formatSpeed(speed?.mean)), cells,
        one ? null : make("td.number.wide", {}, best.get(contender) ?? "0"),
        make("td.note", {}, shown.length < view.groups.length && shown.length > 0
            ? make("span", {}, `${shown.length} of ${view.groups.length} `) : null,
             noteFailures(results)));
}

function renderContenders(view, place) {
    const classes = classesOf(view);
    const best = countBest(view);
    const speeds = view.contenders.flatMap(one => view.byContender.get(one).map(r => r.speed));
    const scale = logScale([...speeds, 1]);
    const one = view.groups.length === 1;
    const [noun, nouns] = view.run.nouns;
    const body = make("tbody");
    const table = make("table.plots.contenders", {},
        make("caption", {}, `Speed over ${speedWords(view.run)}`, one
             ? ". The line is the 95 % confidence interval."
             : ` on each ${noun}. A mark is a ${noun}; the bar is the geometric mean.`),
        make("thead", {}, make("tr", {},
            make("th", {scope: "col"}, "contender"),
            make("th.plot", {scope: "col"}, drawAxis(scale, x => `${x}×`, "")),
            make("th.number", {scope: "col"}, one ? "speed" : "mean"),
            classes.map(one => make("th.number.wide", {scope: "col", title: one.text}, one.name,
                                    make("small", {}, one.count))),
            one ? null : make("th.number.wide", {scope: "col", title: `${nouns} on which it is the `
                + "fastest"}, "fastest on"),
            make("th.note", {scope: "col"}, one ? "" : nouns))),
        body);
    const pager = makePager(view.contenders.length, 24, 40, "contenders", count =>
        body.replaceChildren(...view.contenders.slice(0, count).map(one =>
            makeContenderRow(view, one, scale, classes, best))));
    place.append(makeLead(view), makeLegend(view), table, pager);
    if (classes.length > 0)
        place.append(make("p.hint", {}, "Classes of matrices: ", classes.map((one, i) =>
            [i > 0 ? "; " : "", make("b", {}, one.name), ", ", one.text]), "."));
}

function makeLegend(view, withPlain = false) {
    const key = (role, text) => make("span.key", {}, draw("svg", {width: 12, height: 12,
        "aria-hidden": true}, drawMark(6, 6, role, null, 4)), text);
    const roles = new Set(view.contenders.map(roleOf));
    return make("p.legend", {},
        roles.has("ours") ? key("ours", "libspmv") : null,
        roles.has("peer") ? key("peer", "peer: another implementation") : null,
        withPlain && view.run.hasPlain ? key("base", "the plain CSR loop") : null);
}
