// dom.js: makes elements, formats numbers, shows what is under the pointer. Text from records
// reaches the page as text nodes and attributes alone, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (typeof value === "function")
            node.addEventListener(name, value);
        else if (value !== null && value !== undefined && value !== false)
            node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
    return node;
}

// make("td.number", {title: "..."}, child, ...): children are nodes or texts.
function make(kind, attributes, ...children) {
    const [tag, ...classes] = kind.split(".");
    const node = document.createElement(tag);
    if (classes.length > 0)
        node.className = classes.join(" ");
    return fill(node, attributes, children);
}

function draw(kind, attributes, ...children) {
    const [tag, ...classes] = kind.split(".");
    const node = document.createElementNS(SVG, tag);
    if (classes.length > 0)
        node.setAttribute("class", classes.join(" "));
    return fill(node, attributes, children);
}

// ---- numbers ----------------------------------------------------------------------------------

const isNumber = value => typeof value === "number" && Number.isFinite(value);
const NONE = "–";

function digits(value, count = 3) {
    if (!isNumber(value))
        return NONE;
    if (value === 0)
        return "0";
    const places = Math.max(0, count - 1 - Math.floor(Math.log10(Math.abs(value))));
    return places > 8 ? value.toExponential(count - 1) : value.toFixed(Math.min(places, 8));
}

function scaled(value, units) {
    if (!isNumber(value))
        return NONE;
    const [size, unit] = units.find(([least]) => Math.abs(value) >= least) ?? units.at(-1);
    return `${digits(value / size)} ${unit}`;
}

const formatTime = s => scaled(s, [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]]);
const formatBytes = b => scaled(b, [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]]);
const trimZeros = text => text.replace(/\.0+ /, " ").replace(/(\.\d*[1-9])0+ /, "$1 ");
const formatRoundBytes = b => trimZeros(formatBytes(b));
const formatCount = n => (isNumber(n) ? n.toLocaleString("en") : NONE);
const formatSpeed = x => (isNumber(x) ? `${x < 100 ? x.toFixed(2) : digits(x)}×` : NONE);
const formatPercent = x => (isNumber(x) ? `${digits(100 * x, x < 0.1 ? 2 : 3)} %` : NONE);

const formatError = x => (isNumber(x) && x >= 1000 ? x.toExponential(1) : digits(x, 2));

function formatMany(n) {
    if (!isNumber(n))
        return NONE;
    return n < 1e4 ? formatCount(Math.ceil(n))
                   : trimZeros(scaled(n, [[1e9, "G"], [1e6, "M"], [1e3, "k"]])).replace(" ", "");
}

function formatDuration(seconds) {
    if (!isNumber(seconds))
        return NONE;
    if (seconds < 100)
        return `${digits(seconds)} s`;
    const minutes = Math.round(seconds / 60);
    return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// Half the width of the 95 % interval of a time, over that time.
const spreadOf = r => (isNumber(r.low) && isNumber(r.high) && r.seconds > 0
    ? (r.high - r.low) / 2 / r.seconds : null);

// ---- scales -----------------------------------------------------------------------------------

// A logarithmic axis: place(value) in percent, and round ticks.
function logScale(values, margin = 0.04) {
    const good = values.filter(value => isNumber(value) && value > 0);
    let low = Math.min(...good.slice(0, 1)), high = low;
    for (const value of good) {
        low = Math.min(low, value);
        high = Math.max(high, value);
    }
    if (!isNumber(low))
        [low, high] = [0.5, 2];
    if (high / low < 1.5)
        [low, high] = [low / 1.25, high * 1.25];
    const from = Math.log(low), to = Math.log(high);
    const share = value => (Math.log(value) - from) / (to - from);
    const place = value => 100 * (margin + (1 - 2 * margin) * share(value));
    return {low, high, place, ticks: logTicks(low, high)};
}

function logTicks(low, high) {
    const steps = [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7],
                   [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9]];
    let ticks = [];
    for (const step of steps) {
        ticks = [];
        for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
            for (const digit of step)
                ticks.push(Number((digit * 10 ** power).toPrecision(3)));
        ticks = ticks.filter(tick => tick >= low * 0.999 && tick <= high * 1.001);
        if (ticks.length >= 3)
            break;
    }
    return ticks.filter((_, i) => i % Math.ceil(ticks.length / 7) === 0);
}

// ---- parts ------------------------------------------------------------------------------------

const roleOf = contender => (contender.peer ? "peer" : "ours");

function nameOf(contender) {
    return make("span.name." + roleOf(contender), {}, make("b", {}, contender.method),
                contender.detail ? make("span.detail", {}, " " + contender.detail) : null,
                contender.peer ? make("span.tag", {}, "peer") : null,
                contender.unequal ? make("span.tag", {
                    title: "gave up a property for speed; serves comparison only"}, "benchmark")
                                  : null);
}

function makeState(r) {
    const failure = failureOf(r);
    return make("span.state." + failure.replace(" ", "-"), {"data-tip": r.failure}, failure);
}

function tipOf(r) {
    const interval = isNumber(r.ratio_low) && r.ratio_high > r.ratio_low
        ? ` (${formatSpeed(r.ratio_low)} to ${formatSpeed(r.ratio_high)})` : "";
    return `${r.contender.label}, ${r.group.name}\n${formatTime(r.seconds)}, ` +
           `${formatSpeed(r.speed)}${interval}`;
}

// A mark for one result: its shape says whose it is, also without colours.
function drawMark(x, y, role, tip, size = 4) {
    const at = {"data-tip": tip};
    if (role === "peer")
        return draw("rect.mark.peer", {x, y, width: 2 * size - 1, height: 2 * size - 1,
                                       transform: `translate(${0.5 - size} ${0.5 - size})`, ...at});
    return draw("circle.mark." + role, {cx: x, cy: y, r: size, ...at});
}

// Buttons that show more of a long list, but not all of ten thousand rows at once, which would take
// a browser seconds. render(count) draws that many.
function makePager(total, first, step, noun, render) {
    let count = Math.min(first, total);
    const place = make("div.pager");
    const update = () => {
        render(count);
        place.replaceChildren();
        if (count >= total)
            return;
        place.append(make("span", {}, `${count} of ${formatCount(total)} ${noun}. `));
        const more = Math.min(step, total - count);
        place.append(make("button", {type: "button", click: () => {
            count += more;
            update();
        }}, `Show ${more} more`));
        const most = Math.min(5 * step, total - count);
        if (more < most)
            place.append(make("button", {type: "button", click: () => {
                count += most;
                update();
            }}, most === total - count ? "Show all" : `Show ${formatCount(most)} more`));
    };
    update();
    return place;
}

// A wide table scrolls inside its frame, also by keyboard.
const makeFrame = (label, table) =>
    make("div.frame", {tabindex: 0, role: "region", "aria-label": label}, table);

function followPointer() {
    const tip = make("div.tip", {role: "tooltip", hidden: true});
    document.body.append(tip);
    document.addEventListener("pointerover", event => {
        const text = event.target.closest?.("[data-tip]")?.getAttribute("data-tip");
        tip.hidden = !text;
        tip.textContent = text ?? "";
    });
    document.addEventListener("pointermove", event => {
        if (tip.hidden)
            return;
        const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
        const below = event.clientY + 16;
        const top = below + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10
                                                          : below;
        tip.style.transform = `translate(${Math.max(8, left)}px, ${top}px)`;
    });
}
