// results.js: every result as a row of a table that can be sorted.

// number: sorts by value, and stands at the right. down: the first click sorts downwards.
const COLUMNS = [
    {name: "contender", of: r => r.contender.label, cell: r => nameOf(r.contender)},
    {name: "matrix", of: r => r.group.name},
    {name: "type", of: r => `${r.type} ${r.offset}`},
    {name: "time", number: true, of: r => r.seconds, text: formatTime,
     title: "median time of a multiplication"},
    {name: "±", number: true, of: spreadOf, text: formatPercent,
     title: "half the 95 % confidence interval of the time"},
    {name: "speed", number: true, down: true, of: r => r.speed, text: formatSpeed,
     title: "over the plain CSR loop, in the same rounds"},
    {name: "GFlop/s", number: true, down: true, of: r => r.gflops, text: x => digits(x)},
    {name: "GB/s", number: true, down: true, of: r => r.gbytes_per_second, text: x => digits(x),
     title: "bytes of CSR, x and y over the time"},
    {name: "of read", number: true, down: true, of: r => r.share_of_read, text: formatPercent,
     title: "GB/s over the rate of reading an array of that size"},
    {name: "prepare", number: true, of: r => r.prepare_seconds, text: formatTime,
     title: "time to make a plan"},
    {name: "update", number: true, of: r => r.update_seconds, text: formatTime,
     title: "time to take new values into the plan"},
    {name: "layout", number: true, of: r => r.layout_bytes, text: formatBytes,
     title: "what the plan allocates"},
    {name: "error", number: true, of: r => r.error_over_bound, text: formatError,
     title: "largest error of a row over its bound; above 1 is wrong"},
    {name: "state", of: r => failureOf(r) || "correct",
     cell: r => (failureOf(r) ? makeState(r) : "correct")},
];

// What has no value comes last, whatever the direction.
function sortResults(results, column, direction) {
    const keyed = results.map(result => [column.of(result), result]);
    const missing = value => value === null || value === undefined || Number.isNaN(value);
    const compare = column.number ? (a, b) => a - b
                                  : new Intl.Collator("en", {numeric: true}).compare;
    keyed.sort(([a], [b]) => {
        if (missing(a) || missing(b))
            return missing(a) - missing(b);
        return direction * compare(a, b);
    });
    return keyed.map(([, result]) => result);
}

function makeResultRow(result) {
    return make("tr", {}, COLUMNS.map((column, i) => {
        const content = column.cell?.(result) ?? (column.text ?? String)(column.of(result));
        return i === 0 ? make("th", {scope: "row"}, content)
                       : make(column.number ? "td.number" : "td.of-" + column.name, {}, content);
    }));
}

function csvOf(results) {
    const quote = value => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
    const lines = [COLUMNS.map(column => column.name)].concat(results.map(result =>
        COLUMNS.map(column => String(column.of(result) ?? ""))));
    return lines.map(line => line.map(quote).join(",") + "\n").join("");
}

function saveText(name, type, text) {
    const link = make("a", {href: URL.createObjectURL(new Blob([text], {type})), download: name});
    link.click();
    URL.revokeObjectURL(link.href);
}

// The order outlives a change of the filters.
const resultOrder = {column: null, direction: 1};

function renderResults(view, place) {
    const all = view.groups.flatMap(group => {
        const results = view.results.get(group);
        return sortResults(results, COLUMNS[3], 1);
    });
    let sorted = all;
    const body = make("tbody");
    const pagerPlace = make("div");
    const heads = COLUMNS.map(column => make(column.number ? "th.number" : "th", {scope: "col"},
        make("button", {type: "button", title: column.title, click: () => sortBy(column)},
             column.name)));
    const table = make("table.results", {},
        make("caption.hidden", {}, "All results"),
        make("thead", {}, make("tr", {}, heads)), body);
    const show = () => {
        const {column, direction} = resultOrder;
        sorted = column ? sortResults(all, column, direction) : all;
        heads.forEach((head, i) => {
            if (COLUMNS[i] === column)
                head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
            else
                head.removeAttribute("aria-sort");
        });
        pagerPlace.replaceChildren(makePager(sorted.length, 25, 200, "results", count =>
            body.replaceChildren(...sorted.slice(0, count).map(makeResultRow))));
    };
    const sortBy = column => {
        const again = resultOrder.column === column;
        resultOrder.direction = again ? -resultOrder.direction : (column.down ? -1 : 1);
        resultOrder.column = column;
        show();
    };
    show();
    place.append(make("p.hint", {}, `${formatCount(all.length)} results. Times are medians. The `
        + "head of a column sorts by it."), makeFrame("All results", table), pagerPlace,
        make("p", {}, make("button", {type: "button", click: () =>
            saveText("results.csv", "text/csv", csvOf(sorted))}, "Save these rows as CSV")));
}
