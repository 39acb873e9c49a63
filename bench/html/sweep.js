// sweep.js: speed over swept parameters: curves for one parameter, a map for two.

function orderValues(values) {
    const numbers = values.every(value => value !== "" && Number.isFinite(Number(value)));
    return numbers ? [...values].sort((a, b) => a - b) : [...values];
}

// The sweeps of a view: contenders of one method and target, and the parameters that vary.
function sweepsOf(view) {
    const families = new Map();
    for (const contender of view.all) {
        const key = JSON.stringify([contender.method, contender.target, contender.peer]);
        if (contender.parameters.size > 0)
            families.set(key, [...families.get(key) ?? [], contender]);
    }
    return [...families.values()].map(contenders => {
        const values = new Map();
        for (const contender of contenders)
            for (const [name, value] of contender.parameters)
                values.set(name, (values.get(name) ?? new Set()).add(value));
        const axes = [...values].filter(([, set]) => set.size > 1)
            .map(([name, set]) => ({name, values: orderValues([...set])}))
            .sort((a, b) => b.values.length - a.values.length);
        return {method: contenders[0].method, target: contenders[0].target, contenders, axes};
    }).filter(sweep => sweep.axes.length > 0);
}

// The best speed on a group, or the best mean over all groups, among contenders with these values.
function speedAt(view, sweep, wanted, group) {
    const fits = sweep.contenders.filter(contender => wanted.every(([name, value]) =>
        contender.parameters.get(name) === value));
    const found = fits.map(contender => (group
        ? view.byContender.get(contender).find(r => r.group === group)?.speed
        : view.speeds.get(contender)?.mean)).filter(speed => speed > 0);
    return found.length > 0 ? Math.max(...found) : null;
}

const CURVES = 8;                    // with more matrices, curves have no names

function drawCurves(view, sweep, axis) {
    const lines = view.groups.map(group => ({name: group.name, group,
        speeds: axis.values.map(value => speedAt(view, sweep, [[axis.name, value]], group))}));
    const mean = {name: "geometric mean", group: null,
        speeds: axis.values.map(value => speedAt(view, sweep, [[axis.name, value]], null))};
    const named = lines.length <= CURVES;
    const right = !named ? 2 : innerWidth < 700 ? 33 : 24;
    const left = 9, height = 280, bottom = 42, top = 16;
    const scale = logScale([...lines, mean].flatMap(line => line.speeds), 0.06);
    const x = i => left + (100 - left - right) * (i + 0.5) / axis.values.length;
    const y = speed => top + (height - top - bottom) * (1 - scale.place(speed) / 100);
    const plot = draw("svg.curves", {role: "img", width: "100%", height,
        "aria-label": `Speed of ${sweep.method} over ${axis.name}`});
    for (const tick of scale.ticks)
        plot.append(draw("line.grid", {x1: left + "%", x2: 100 - right + "%", y1: y(tick),
                                       y2: y(tick)}),
                    draw("text", {x: left - 1 + "%", y: y(tick) + 4, "text-anchor": "end"},
                         `${tick}×`));
    axis.values.forEach((value, i) => plot.append(draw("text", {x: x(i) + "%",
        y: height - bottom + 18, "text-anchor": "middle"}, value)));
    plot.append(draw("text.title", {x: (left + 100 - right) / 2 + "%", y: height - 6,
                                    "text-anchor": "middle"}, axis.name));
    const shown = (lines.length > 1 ? [...lines, mean] : lines)
        .filter(line => line.speeds.some(speed => speed > 0));
    const names = placeNames(shown.map(line => y(line.speeds.findLast(speed => speed > 0))));
    shown.forEach((line, i) => {
        const curve = drawCurve(line, x, y, axis);
        if (named)
            curve.append(draw("text", {x: 100 - right + "%", y: names[i] + 4},
                              shorten(line.name, 18)));
        plot.append(curve);
    });
    return plot;
}

// Heights for names beside these heights, so that no two names overlap.
function placeNames(heights) {
    const apart = 14;
    const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
    const placed = [...heights];
    order.forEach((i, k) => {
        if (k > 0)
            placed[i] = Math.max(placed[i], placed[order[k - 1]] + apart);
    });
    const shift = order.length > 0 ? (placed[order.at(-1)] - heights[order.at(-1)]) / 2 : 0;
    return placed.map(height => height - shift);
}

function drawCurve(line, x, y, axis) {
    const curve = draw(line.group ? "g.curve" : "g.curve.mean");
    line.speeds.forEach((speed, i) => {
        const next = line.speeds[i + 1];
        if (speed > 0 && next > 0)
            curve.append(draw("line", {x1: x(i) + "%", y1: y(speed), x2: x(i + 1) + "%",
                                       y2: y(next)}));
        if (speed > 0)
            curve.append(draw("circle", {cx: x(i) + "%", cy: y(speed), r: line.group ? 3 : 4,
                "data-tip": `${line.name}, ${axis.name}=${axis.values[i]}\n`
                            + formatSpeed(speed)}));
    });
    return curve;
}

const shorten = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

function illegalAt(view, sweep, wanted) {
    return view.run.illegal.find(record => record.target === sweep.target &&
        wanted.every(([name, value]) => String(record.set?.[`${sweep.method}.${name}`]) === value));
}

function makeMap(view, sweep, columns, rows, group) {
    const speeds = rows.values.map(row => columns.values.map(column =>
        speedAt(view, sweep, [[rows.name, row], [columns.name, column]], group)));
    const known = speeds.flat().filter(speed => speed > 0);
    const least = Math.min(...known), most = Math.max(...known);
    const body = rows.values.map((row, i) => make("tr", {}, make("th", {scope: "row"}, row),
        columns.values.map((column, k) => {
            const speed = speeds[i][k];
            const illegal = illegalAt(view, sweep, [[rows.name, row], [columns.name, column]]);
            if (!(speed > 0))
                return make("td.none", {"data-tip": illegal?.reason}, illegal ? "illegal" : NONE);
            const share = most > least ? (speed - least) / (most - least) : 1;
            return make(speed === most ? "td.best" : "td", {
                style: `--share: ${Math.round(6 + 44 * share)}%`}, formatSpeed(speed));
        })));
    return make("table.map", {},
        make("caption.hidden", {}, `Speed of ${sweep.method} by ${rows.name} and ${columns.name}`),
        make("thead", {}, make("tr", {}, make("th.corner", {}, `${rows.name} \\ ${columns.name}`),
            columns.values.map(value => make("th", {scope: "col"}, value)))),
        make("tbody", {}, body));
}

// Illegal values of an axis belong into the map, too.
function withIllegal(view, sweep, axis) {
    const values = new Set(axis.values);
    for (const record of view.run.illegal)
        if (record.target === sweep.target && record.set?.[`${sweep.method}.${axis.name}`])
            values.add(String(record.set[`${sweep.method}.${axis.name}`]));
    return {...axis, values: orderValues([...values])};
}

function makeSweep(view, sweep) {
    const [first, second, ...others] = sweep.axes;
    const place = make("div");
    const figure = make("figure", {}, make("h3", {}, sweep.method,
                                           make("span.tag", {}, sweep.target)));
    const count = sweep.contenders.length;
    const best = sweep.contenders.filter(one => view.speeds.get(one))
        .reduce((a, b) => (!a || view.speeds.get(b).mean > view.speeds.get(a).mean ? b : a), null);
    let text = `${count} combinations. Best: ${best?.detail ?? NONE}, `
               + `${formatSpeed(view.speeds.get(best)?.mean)}.`;
    if (second) {
        const [columns, rows] = [first, second].map(axis => withIllegal(view, sweep, axis));
        const choice = make("select", {"aria-label": `Matrix of the map of ${sweep.method}`, change:
            () => show()}, make("option", {value: ""}, "all matrices: geometric mean"),
            view.groups.map((group, i) => make("option", {value: i}, group.name)));
        const show = () => place.replaceChildren(makeFrame(`Map of ${sweep.method}`, makeMap(view,
            sweep, columns, rows, choice.value === "" ? null : view.groups[choice.value])));
        show();
        figure.append(view.groups.length > 1 ? choice : "", place);
        if (others.length > 0)
            text += ` For ${others.map(axis => axis.name).join(", ")} the best value.`;
    } else {
        figure.append(drawCurves(view, sweep, first));
        if (view.groups.length > CURVES)
            text += " A thin line is a matrix; the thick line is the geometric mean.";
    }
    figure.append(make("figcaption", {}, text));
    return figure;
}

function renderSweep(view, place) {
    const sweeps = sweepsOf(view);
    const {illegal} = view.run;
    place.parentElement.hidden = sweeps.length === 0 && illegal.length === 0;
    if (sweeps.length > 0)
        place.append(make("p.hint", {}, `Speed over ${speedWords(view.run)} of all settings, `
            + "whatever the filter of settings is."),
            make("div.columns", {}, sweeps.map(sweep => makeSweep(view, sweep))));
    if (illegal.length > 0)
        place.append(make("details", {}, make("summary", {}, `${illegal.length} illegal `
            + (illegal.length === 1 ? "combination" : "combinations")),
            make("ul", {}, illegal.map(record => make("li", {}, make("code", {},
                Object.entries(record.set ?? {}).map(pair => pair.join("=")).join(" ")),
                ` ${record.target ?? ""} ${record.type ?? ""}: ${record.reason ?? ""}`)))));
}
