// page.js: the page: its head, what must be said first, filters, sections.

const SECTIONS = [
    {id: "contenders", title: "Contenders", render: renderContenders},
    {id: "overview", title: "Matrix by matrix", render: renderOverview},
    {id: "results", title: "All results", render: renderResults},
    {id: "matrices", title: "Matrices", render: renderMatrices},
    {id: "roofline", title: "Roofline", render: renderRoofline},
    {id: "sweep", title: "Sweep", render: renderSweep},
    {id: "break-even", title: "Break-even", render: renderBreakEven},
];

const quoteWord = word => (/^[\w@%+=:,./-]+$/.test(word) ? word
    : `'${word.replaceAll("'", "'\\''")}'`);

const countOf = (list, one, several) => `${list.length} ${list.length === 1 ? one : several}`;

// ---- the head ---------------------------------------------------------------------------------

function makeThemeButton() {
    const root = document.documentElement;
    const themes = ["auto", "light", "dark"];
    let stored = null;
    try {
        stored = localStorage.getItem("spmvbench-theme");
    } catch {
        // A browser may forbid storage to files.
    }
    let theme = themes.includes(stored) ? stored : "auto";
    const button = make("button.theme", {type: "button", click: () => {
        theme = themes[(themes.indexOf(theme) + 1) % themes.length];
        try {
            localStorage.setItem("spmvbench-theme", theme);
        } catch {
            // The theme then lasts as long as the page.
        }
        show();
    }});
    const show = () => {
        root.dataset.theme = theme;
        button.textContent = `Theme: ${theme}`;
    };
    show();
    return button;
}

// "18 matrices in f64 and f32, 12 contenders"
function subjectOf(run) {
    const unique = name => [...new Set(run.groups.map(group => group.matrix[name]))];
    const types = unique("type").join(" and ");
    return countOf(unique("input"), "matrix", "matrices") + (types ? ` in ${types}` : "") + ", "
           + countOf(run.contenders, "contender", "contenders");
}

function makeHead(run) {
    const last = run.runs.at(-1) ?? {};
    const facts = [last.cpu, isNumber(last.threads)
        ? `${last.threads} ${last.threads === 1 ? "thread" : "threads"}` : null, last.compiler,
        last.time?.replace("T", " ").replace("Z", " UTC"),
        last.version ? `spmvbench ${last.version}` : null];
    return make("header", {},
        make("div.top", {}, make("h1", {}, "Sparse matrix-vector multiplication"),
             makeThemeButton()),
        make("p.subject", {}, subjectOf(run)),
        make("p.facts", {}, facts.filter(Boolean).join(" · ")),
        makeNotices(run),
        make("nav", {"aria-label": "Sections"}, [...SECTIONS, {id: "machine", title: "Machine"}]
            .map(section => make("a", {href: "#" + section.id}, section.title))));
}

const UNSURE = 0.1;                  // half of an interval, over the time

function noticesOf(run) {
    const results = run.groups.flatMap(group => group.results);
    const notices = [];
    const end = run.ends.at(-1);
    const names = groups => groups.slice(0, 3).map(group => group.name).join(", ")
        + (groups.length > 3 ? ` and ${groups.length - 3} more` : "");
    const unfinished = run.groups.filter(group => group.cut);
    if (run.groups.length === 0)
        notices.push("The run has no results yet.");
    if (run.ends.length < run.runs.length)
        notices.push("The run has no end: it still runs, or it was killed.");
    else if (end && end.complete === false)
        notices.push(end.reason === "budget"
            ? "The time was spent before all intervals were narrow."
            : "The run was interrupted: matrices or rounds are missing.");
    if (unfinished.length > 0)
        notices.push(`Rounds are missing: ${names(unfinished)}.`);
    const wrong = results.filter(r => failureOf(r) === "wrong");
    if (wrong.length > 0) {
        const who = [...new Set(wrong.map(r => r.contender.method))].join(", ");
        notices.push(`${wrong.length} ${wrong.length === 1 ? "result is" : "results are"} wrong `
            + `and not timed: ${who}.`);
    }
    const busy = run.groups.filter(group => group.matrix.competitors > 0);
    if (busy.length > 0)
        notices.push(`Other programs ran on the machine before the race: ${names(busy)}.`);
    const timed = results.filter(isTimed);
    const unsure = timed.filter(r => spreadOf(r) > UNSURE);
    if (unsure.length > 0)
        notices.push(`Times are uncertain by more than ${100 * UNSURE} % for `
            + `${unsure.length} of ${timed.length} results: compare these by their intervals.`);
    return notices;
}

function makeNotices(run) {
    const notices = noticesOf(run);
    return notices.length > 0 ? make("ul.notices", {}, notices.map(text => make("li", {}, text)))
                              : null;
}

// ---- filters ----------------------------------------------------------------------------------

function makeChoice(label, values, change) {
    if (values.length < 2)
        return null;
    return make("label", {}, label, make("select", {change: event => change(event.target.value)},
        make("option", {value: ""}, "all"), values.map(value => make("option", {value}, value))));
}

function makeMethods(run, filter, change) {
    const methods = [...new Set(run.contenders.map(one => one.method))];
    if (methods.length < 2)
        return null;
    const summary = make("summary", {});
    const boxes = methods.map(method => make("input", {type: "checkbox", checked: true, change:
        event => {
            filter.without[event.target.checked ? "delete" : "add"](method);
            update();
            change();
        }}));
    const setAll = checked => {
        filter.without = new Set(checked ? [] : methods);
        for (const box of boxes)
            box.checked = checked;
        update();
        change();
    };
    const update = () => {
        const left = methods.length - filter.without.size;
        summary.textContent = left === methods.length ? "All methods"
                                                      : `${left} of ${methods.length} methods`;
    };
    update();
    const list = make("details.methods", {keydown: event => {
        if (event.key === "Escape") {
            list.open = false;
            summary.focus();
        }
    }}, summary, make("div.list", {},
        make("p", {}, make("button", {type: "button", click: () => setAll(true)}, "All"),
             make("button", {type: "button", click: () => setAll(false)}, "None")),
        methods.map((method, i) => make("label", {}, boxes[i], method))));
    document.addEventListener("click", event => {
        list.open = list.open && list.contains(event.target);
    });
    return list;
}

function makeFilters(run, filter, change) {
    let timer = 0;
    const later = () => {
        clearTimeout(timer);
        timer = setTimeout(change, 150);
    };
    const set = (name, value) => {
        filter[name] = value;
        change();
    };
    const unique = values => [...new Set(values)].filter(Boolean);
    const swept = run.contenders.some(one => one.parameters.size > 0);
    const count = make("output", {"aria-live": "polite"});
    const bar = make("form.filters", {"aria-label": "Filters", submit: e => e.preventDefault()},
        run.groups.length > 1 ? make("label", {}, "Matrices", make("input", {type: "search",
            placeholder: "part of a name", input: event => {
                filter.text = event.target.value;
                later();
            }})) : null,
        makeChoice("Type", unique(run.groups.map(group => group.matrix.type)),
                   value => set("type", value)),
        makeChoice("Target", unique(run.contenders.filter(one => !one.peer)
            .map(one => one.target)), value => set("target", value)),
        makeMethods(run, filter, change),
        swept ? make("label", {}, "Settings", make("select", {change: event =>
            set("best", event.target.value === "best")},
            make("option", {value: "best"}, "best of each method"),
            make("option", {value: "all"}, "all"))) : null,
        run.contenders.some(one => one.peer) ? make("label.check", {}, make("input", {
            type: "checkbox", checked: true, change: event => set("peers", event.target.checked)}),
            "Peers") : null,
        count);
    return {bar, count};
}

// ---- sections ---------------------------------------------------------------------------------

function makeMachine(run) {
    const last = run.runs.at(-1) ?? {};
    const first = run.groups[0]?.matrix ?? {};
    const seconds = run.ends.map(end => end.seconds).filter(isNumber);
    const rows = [
        ["CPU", last.cpu], ["Threads", last.threads], ["Compiler", last.compiler],
        ["spmvbench", last.version], ["Began", run.runs[0]?.time],
        ["Took", seconds.length > 0 ? formatDuration(seconds.reduce((a, b) => a + b, 0)) : null],
        ["Memory is read at", isNumber(first.dram_gbytes_per_second)
            ? `${digits(first.dram_gbytes_per_second)} GB/s` : null],
        ["Product", isNumber(first.alpha) && isNumber(first.beta)
            ? `y = ${first.alpha}·A·x + ${first.beta}·y` : null],
    ].filter(([, value]) => value !== null && value !== undefined && value !== "");
    return make("section", {id: "machine"}, make("h2", {}, "Machine and commands"),
        make("dl.machine", {}, rows.map(([name, value]) =>
            make("div", {}, make("dt", {}, name), make("dd", {}, String(value))))),
        make("h3", {}, run.runs.length > 1 ? "Commands" : "Command"),
        run.runs.map(one => make("pre", {tabindex: 0}, make("code", {}, Array.isArray(one.command)
            ? one.command.map(quoteWord).join(" ") : String(one.command ?? "")))),
        make("p.hint", {}, "Every result was checked against a reference of higher precision; "
            + "wrong results are not timed. A time is the median of the samples of one "
            + "multiplication. Speed is the time of the plain CSR loop over the contender's time "
            + "in the same rounds. Intervals hold with 95 % confidence."));
}

function renderSection(section, place, view) {
    place.replaceChildren();
    if (view.groups.length === 0 || view.contenders.length === 0) {
        place.append(make("p", {}, "Nothing fits the filters."));
        return;
    }
    try {
        section.render(view, place);
    } catch (error) {                // a record that breaks the schema costs one section
        console.error(error);
        place.replaceChildren(make("p", {}, `Cannot be drawn: ${error.message}`));
    }
}

function main() {
    const run = readRecords(document.getElementById("records").textContent);
    const filter = {text: "", type: "", target: "", peers: true, without: new Set(), best: true};
    const places = SECTIONS.map(() => make("div"));
    const render = () => {
        const view = selectView(run, filter);
        filters.count.textContent = `${view.groups.length} of ${countOf(run.groups,
            ...run.nouns)}, ${view.contenders.length} of ${countOf(run.contenders, "contender",
                                                                   "contenders")}`;
        SECTIONS.forEach((section, i) => {
            renderSection(section, places[i], view);
            // A section that has nothing to show is not in the list of sections either.
            document.querySelector(`nav [href="#${section.id}"]`).hidden =
                places[i].parentElement.hidden;
        });
    };
    const filters = makeFilters(run, filter, render);
    const content = make("main", {}, SECTIONS.map((section, i) => make("section", {id: section.id},
        make("h2", {}, section.title), places[i])), makeMachine(run));
    document.title = `spmvbench: ${run.groups.length === 1 ? run.groups[0].name
                                                          : `${run.groups.length} matrices`}`;
    if (run.groups.length === 0)
        content.replaceChildren(makeMachine(run));
    document.body.append(makeHead(run), run.groups.length > 0 ? filters.bar : "", content);
    followPointer();
    if (run.groups.length > 0)
        render();
}

main();
