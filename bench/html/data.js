// data.js: the records that the page holds, grouped by matrix and by contender.
// docs/reference/records.md describes the records.

// A contender is a method with its target, swept parameters and settings.
function contenderKey(result) {
    const set = Object.entries(result.set ?? {}).sort();
    return JSON.stringify([result.method, result.target, set, result.settings ?? "",
                           Boolean(result.peer)]);
}

function parametersOf(result) {
    const parameters = new Map();
    const prefix = result.method + ".";
    for (const [name, value] of Object.entries(result.set ?? {}).sort())
        parameters.set(name.startsWith(prefix) ? name.slice(prefix.length) : name, String(value));
    for (const setting of (result.settings ?? "").split(",").filter(Boolean)) {
        const [name, ...value] = setting.split("=");
        parameters.set(name, value.join("="));
    }
    return parameters;
}

function makeContender(result) {
    return {key: contenderKey(result), method: result.method, target: result.target,
            peer: Boolean(result.peer), unequal: Boolean(result.benchmark_only),
            parameters: parametersOf(result), detail: ""};
}

// Members that tell contenders of one method apart: the target where there are several, and the
// parameters.
function describeContenders(contenders) {
    const targets = new Map();
    for (const one of contenders) {
        if (!targets.has(one.method))
            targets.set(one.method, new Set());
        targets.get(one.method).add(one.target);
    }
    for (const one of contenders) {
        const words = [...one.parameters].map(([name, value]) => `${name}=${value}`);
        if (!one.peer && targets.get(one.method).size > 1)
            words.push(one.target);
        one.detail = words.join(" ");
        one.label = [one.method, one.detail].filter(Boolean).join(" ");
    }
}

// Operations of a multiplication: two for each nonzero and vector.
const flopsOf = matrix => 2 * matrix.nnz * (matrix.columns ?? 1);

const isTimed = result => result.correct && result.seconds > 0;

// What kept a contender from a time; "" where it has one.
function failureOf(result) {
    if (result.left_out)
        return "declined";
    if (!result.correct)
        return "wrong";
    return isTimed(result) ? "" : "not timed";
}

// Seconds of the plain CSR loop on a matrix; null: it was not timed.
function plainSeconds(group) {
    const seconds = group.matrix.plain_csr_seconds;
    const compared = group.results.find(r => isTimed(r) && r.ratio > 0);
    return seconds > 0 ? seconds : compared ? compared.ratio * compared.seconds : null;
}

// Gives every result its speed: over the plain CSR loop, or, in a run without that loop, over the
// fastest contender.
function measureGroup(group, hasPlain) {
    const timed = group.results.filter(isTimed);
    const other = hasPlain ? group.plain : Math.min(...timed.map(r => r.seconds));
    for (const result of group.results) {
        const ratio = hasPlain ? result.ratio : null;
        result.speed = isTimed(result) && other ? ratio ?? other / result.seconds : null;
    }
}

// Classes of matrices by their rows, which decide most between methods.
const MATRIX_CLASSES = [
    {name: "uneven", text: "longest row over 20 times the average",
     has: m => m.max_row > 20 * Math.max(1, m.average_row)},
    {name: "short", text: "under 8 nonzeros a row", has: m => m.average_row < 8},
    {name: "medium", text: "8 to 32 nonzeros a row", has: m => m.average_row <= 32},
    {name: "long", text: "over 32 nonzeros a row", has: () => true},
];

// Names may hold any letters. Control characters, line separators and changes of direction are
// escaped, as common/utf8.h does.
function printable(value) {
    if (typeof value !== "string")
        return value;
    return value.replace(/[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, letter => {
        const code = letter.charCodeAt(0).toString(16);
        return code.length < 3 && letter < "\x80" ? "\\x" + code.padStart(2, "0")
                                                  : "\\u{" + code.padStart(4, "0") + "}";
    });
}

function readRecords(text) {
    const run = {runs: [], ends: [], illegal: [], groups: [], contenders: []};
    const groups = new Map(), contenders = new Map();
    const keyOf = record => JSON.stringify([record.input, record.type, record.offset,
                                            Boolean(record.transposed),
                                            record.columns ?? 1, record.order ?? "",
                                            record.values ?? ""]);
    const kinds = {
        // A run that is resumed lists its illegal combinations again.
        run: record => {
            run.runs.push(record);
            run.illegal = [];
        },
        end: record => run.ends.push(record),
        illegal: record => run.illegal.push(record),
        // A later group replaces an earlier one, as after --resume.
        matrix: record => groups.set(keyOf(record), {
            key: keyOf(record), matrix: record, results: [],
            class: MATRIX_CLASSES.find(one => one.has(record)).name}),
        result: record => groups.get(keyOf(record))?.results.push(record),
    };
    for (const line of text.split("\n")) {
        if (!line.trim())
            continue;
        const record = JSON.parse(line, (_, value) => printable(value));
        kinds[record.record]?.(record);
    }
    run.groups = [...groups.values()];
    for (const group of run.groups) {
        for (const result of group.results) {
            const key = contenderKey(result);
            if (!contenders.has(key))
                contenders.set(key, makeContender(result));
            result.contender = contenders.get(key);
            result.group = group;
        }
        group.plain = plainSeconds(group);
        group.cut = group.matrix.complete === false ||
                    group.results.length < (group.matrix.results ?? 0);
    }
    run.contenders = [...contenders.values()];
    describeContenders(run.contenders);
    run.hasPlain = run.groups.some(group => group.plain);
    for (const group of run.groups)
        measureGroup(group, run.hasPlain);
    nameGroups(run.groups);
    run.nouns = nounsOf(run.groups);
    return run;
}

// A group is a case where a run has a matrix in several types.
function nounsOf(groups) {
    return new Set(groups.map(group => group.matrix.input)).size < groups.length
        ? ["case", "cases"] : ["matrix", "matrices"];
}

// The types of a group, and its product if that is not y = A x.
function describeTypes(matrix) {
    const product = [matrix.transposed ? "transpose" : "",
                     matrix.columns > 1 ? `${matrix.columns} ${matrix.order}-major vectors` : ""];
    const values = matrix.values ? `values of ${matrix.values}` : "";
    return [matrix.type, values, matrix.offset, ...product].filter(Boolean).join(", ");
}

// A name for each group; with the types where one matrix has several groups.
function nameGroups(groups) {
    const nameOf = group => group.matrix.name || group.matrix.input;
    const uses = Map.groupBy ? Map.groupBy(groups, nameOf) : null;
    const several = name => (uses ? uses.get(name) : groups.filter(g => nameOf(g) === name)).length;
    for (const group of groups) {
        const types = describeTypes(group.matrix);
        group.name = nameOf(group) + (several(nameOf(group)) > 1 ? ` (${types})` : "");
    }
}

// Geometric mean, least and greatest of the speeds of results; null where there is none.
function summarise(results) {
    const speeds = results.map(r => r.speed).filter(speed => speed > 0);
    if (speeds.length === 0)
        return null;
    const logs = speeds.reduce((sum, speed) => sum + Math.log(speed), 0);
    return {mean: Math.exp(logs / speeds.length), count: speeds.length,
            least: Math.min(...speeds), most: Math.max(...speeds)};
}

// ---- what the filters leave -------------------------------------------------------------------

// Of the contenders of each method and target, the one with the best geometric mean: sweeps have
// dozens.
function bestSettings(contenders, speeds) {
    const best = new Map();
    for (const one of contenders) {
        const key = JSON.stringify([one.method, one.target, one.peer]);
        const other = best.get(key);
        if (!other || (speeds.get(one)?.mean ?? 0) > (speeds.get(other)?.mean ?? 0))
            best.set(key, one);
    }
    return [...best.values()];
}

// filter: text, type, target, peers, methods (a Set of those that are left out), best.
function selectView(run, filter) {
    const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
    const groups = run.groups.filter(group => {
        const text = `${group.matrix.name} ${group.matrix.input}`.toLowerCase();
        return words.every(word => text.includes(word)) &&
               (!filter.type || group.matrix.type === filter.type);
    });
    const allowed = new Set(run.contenders.filter(one =>
        (filter.peers || !one.peer) && !filter.without.has(one.method) &&
        (!filter.target || one.peer || one.target === filter.target)));
    const byContender = new Map([...allowed].map(one => [one, []]));
    for (const group of groups)
        for (const result of group.results)
            byContender.get(result.contender)?.push(result);
    const speeds = new Map([...byContender].map(([one, results]) => [one, summarise(results)]));
    const met = [...allowed].filter(one => byContender.get(one).length > 0);
    const all = new Set(met);
    const contenders = filter.best ? bestSettings(met, speeds) : met;
    contenders.sort((a, b) => (speeds.get(b)?.mean ?? 0) - (speeds.get(a)?.mean ?? 0));
    const shown = new Set(contenders);
    const results = new Map(groups.map(group =>
        [group, group.results.filter(result => shown.has(result.contender))]));
    return {run, groups, contenders, all, speeds, byContender, results};
}

const fastestOf = results => results.filter(isTimed)
    .reduce((best, r) => (!best || r.seconds < best.seconds ? r : best), null);
