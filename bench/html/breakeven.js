// breakeven.js: from how many multiplications on it pays to prepare a plan.

// Multiplications after which the plan has cost less than the plain CSR loop; Infinity: never.
function breakEvenOf(result) {
    const {plain} = result.group;
    if (!plain || !isTimed(result) || !isNumber(result.prepare_seconds))
        return null;
    const saved = plain - result.seconds;
    return saved > 0 ? Math.max(1, Math.ceil(result.prepare_seconds / saved)) : Infinity;
}

const textOf = count => (count === Infinity ? "never" : formatMany(count));

function makeBreakEvenRow(view, contender, scale) {
    const results = view.byContender.get(contender);
    const known = results.map(r => [r, breakEvenOf(r)]).filter(([, n]) => n !== null);
    const finite = known.filter(([, n]) => Number.isFinite(n)).sort((a, b) => a[1] - b[1]);
    const times = new Map(finite);
    const never = known.length - finite.length;
    const middle = finite[known.length >> 1]?.[1] ?? Infinity;
    const strip = drawStrip(scale, finite.map(([r]) => r), r => times.get(r), {
        role: roleOf(contender), middle, label: `${contender.label}: median ${textOf(middle)}`});
    strip.querySelectorAll("[data-tip]").forEach((mark, i) => mark.setAttribute("data-tip",
        `${contender.label}, ${finite[i][0].group.name}\npays from ${formatMany(finite[i][1])} `
        + `multiplications; prepares in ${formatTime(finite[i][0].prepare_seconds)}`));
    return make("tr", {}, make("th", {scope: "row"}, nameOf(contender)),
        make("td.plot", {}, strip),
        make("td.number.strong", {}, textOf(middle)),
        make("td.note", {}, never > 0 ? `never on ${never}` : ""));
}

function makeBreakEvenTable(view) {
    const all = view.contenders.filter(one =>
        view.byContender.get(one).some(r => breakEvenOf(r) !== null));
    const counts = all.flatMap(one => view.byContender.get(one).map(breakEvenOf))
        .filter(Number.isFinite);
    if (counts.length === 0)
        return make("p", {}, "No contender was faster than the plain CSR loop, or the run has "
            + "none.");
    const scale = logScale([...counts, 1]);
    const body = make("tbody");
    const table = make("table.plots.pays", {},
        make("caption", {}, "Multiplications from which on a plan has paid for its preparation, "
            + "against the plain CSR loop. A mark is a matrix; the bar is the median."),
        make("thead", {}, make("tr", {}, make("th", {scope: "col"}, "contender"),
            make("th.plot", {scope: "col"}, drawAxis(scale, formatMany, "multiplications")),
            make("th.number", {scope: "col"}, "median"), make("th.note", {scope: "col"}, ""))),
        body);
    return make("div", {}, table, makePager(all.length, 16, 40, "contenders", count =>
        body.replaceChildren(...all.slice(0, count).map(one =>
            makeBreakEvenRow(view, one, scale)))));
}

const RUNS = [1, 10, 100, 1000, 10000, Infinity];

// Which contender costs least for a number of multiplications, preparation included.
function cheapestOf(results, runs) {
    const cost = r => (runs === Infinity ? r.seconds : r.prepare_seconds + runs * r.seconds);
    return results.filter(r => isTimed(r) && (runs === Infinity || isNumber(r.prepare_seconds)))
        .reduce((best, r) => (!best || cost(r) < cost(best) ? r : best), null);
}

// Neighbours with the same contender are one cell.
function makeChoiceRow(group, results) {
    const cells = [];
    for (const best of RUNS.map(runs => cheapestOf(results, runs))) {
        if (cells.length > 0 && cells.at(-1).best === best)
            cells.at(-1).span++;
        else
            cells.push({best, span: 1});
    }
    return make("tr", {}, make("th", {scope: "row"}, group.name), cells.map(({best, span}) =>
        make("td" + (best ? "." + roleOf(best.contender) : ""), {colspan: span},
             best ? nameOf(best.contender) : NONE)));
}

function makeChoiceTable(view) {
    const body = make("tbody");
    const table = make("table.choice", {},
        make("caption.hidden", {}, "Cheapest contenders by number of multiplications"),
        make("thead", {}, make("tr", {}, make("th", {scope: "col"}, "matrix"), RUNS.map(runs =>
            make("th", {scope: "col"}, runs === Infinity ? "more" : formatCount(runs))))),
        body);
    return make("div", {}, make("h3", {}, "Cheapest in total"), make("p.hint", {}, "For a number "
        + "of multiplications with one matrix, the contender with the least total time, "
        + "preparation included."),
        makeFrame("Cheapest contenders", table),
        makePager(view.groups.length, 12, 100, "matrices", count =>
            body.replaceChildren(...view.groups.slice(0, count).map(group =>
                makeChoiceRow(group, view.results.get(group))))));
}

function renderBreakEven(view, place) {
    place.append(makeBreakEvenTable(view), makeChoiceTable(view));
}
