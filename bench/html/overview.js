// overview.js: a map of speeds: a row for each matrix, a column for each contender.

// The darker, the faster: where the speed lies between all speeds, by logarithm.
function shadeOf(speed, scale) {
    const share = Math.log(speed / scale.low) / Math.log(scale.high / scale.low);
    return `--share: ${Math.round(5 + 45 * Math.min(1, Math.max(0, share)))}%`;
}

function makeOverviewRow(view, group, contenders, scale) {
    const results = new Map(view.results.get(group).map(r => [r.contender, r]));
    const most = Math.max(...view.results.get(group).map(r => r.speed ?? 0));
    return make("tr", {}, make("th", {scope: "row"}, group.name), contenders.map(contender => {
        const r = results.get(contender);
        if (!r)
            return make("td.empty", {}, "");
        if (!(r.speed > 0))
            return make("td.none." + failureOf(r).replace(" ", "-"), {"data-tip": r.failure},
                        failureOf(r) || NONE);
        return make(r.speed === most ? "td.best" : "td", {style: shadeOf(r.speed, scale),
                                                       "data-tip": tipOf(r)}, r.speed.toFixed(2));
    }));
}

function renderOverview(view, place) {
    const speeds = view.groups.flatMap(group => view.results.get(group).map(r => r.speed))
        .filter(speed => speed > 0);
    place.parentElement.hidden = view.groups.length < 2 || speeds.length === 0;
    const scale = logScale([...speeds, 1]);
    // A peer that takes no part, for lack of its library, would be a column of one word.
    const contenders = view.contenders.filter(one =>
        view.byContender.get(one).some(r => failureOf(r) !== "declined"));
    const body = make("tbody");
    const table = make("table.map.overview", {},
        make("caption.hidden", {}, "Speeds by matrix and contender"),
        make("thead", {}, make("tr", {}, make("th", {scope: "col"}, "matrix"),
            contenders.map(one => make("th", {scope: "col"}, nameOf(one))))), body);
    place.append(make("p.hint", {}, `Speed over ${speedWords(view.run)}. The fastest contender of `
            + "each matrix has a frame."), makeFrame("Speeds by matrix and contender", table),
        makePager(view.groups.length, 20, 100, "matrices", count => body.replaceChildren(
            ...view.groups.slice(0, count).map(group =>
                makeOverviewRow(view, group, contenders, scale)))));
}
