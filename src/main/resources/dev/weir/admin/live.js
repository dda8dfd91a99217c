'use strict';
// Asks each second what has happened since, and shows the last ten minutes. What is told is only ever set as text.

const EVERY_MS = 1000;
const MOST_SECONDS = 600;
const RULES_SECONDS = 10;
const MOST_RULES = 50;
const LEAST_SECONDS = 60;
const HEIGHT = 200;

const find = id => document.getElementById(id);

const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const fine = new Intl.NumberFormat('en', {maximumSignificantDigits: 2});

function number(value) {
  return (value < 100 ? fine : whole).format(value);
}

/** What somebody has marked stays, until he has copied it. */
function fill(id, elements) {
  if (getSelection().isCollapsed) {
    find(id).replaceChildren(...elements);
  }
}

function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) {
    made.className = kind;
  }
  return made;
}

function clock(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString();
}

function lastMinute() {
  return [Date.now() / 1000 - LEAST_SECONDS, Date.now() / 1000];
}

/** A chart of lines over time; each line is a label, a color of the style sheet, and what gives its value at a point. */
class Chart {
  constructor(place, lines) {
    this.place = place;
    this.lines = lines;
    this.columns = [[], ...lines.map(() => [])];
    this.draw();
    new ResizeObserver(() => this.plot.setSize({width: place.clientWidth, height: HEIGHT})).observe(place);
  }

  draw() {
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const color = name => this.resolved(style.getPropertyValue(name));
    const axis = {stroke: color('--quiet'), grid: {stroke: color('--line'), width: 1}, ticks: {show: false}};
    const time = {...axis, space: 90, values: (_, ticks) => ticks.map(clock)};
    const series = this.lines.map(line => ({
      label: line.label,
      stroke: color(line.color),
      width: 1.5,
      dash: line.dash,
      points: {show: false},
      value: (_, value) => value == null ? '–' : number(value),
    }));
    this.plot = new uPlot({
      width: this.place.clientWidth,
      height: HEIGHT,
      scales: {
        x: {range: (_, first, last) => last ? [Math.min(first, last - LEAST_SECONDS), last] : lastMinute()},
        y: {range: (_, low, high) => [0, high ? high * 1.1 : 1]},
      },
      cursor: {drag: {x: false, y: false}},
      series: [{label: 'time', value: (_, value) => value == null ? '–' : clock(value)}, ...series],
      axes: [time, {...axis, size: 60, values: (_, ticks) => ticks.map(number)}],
    }, this.columns, this.place);
  }

  /** The canvas knows no light-dark(): the browser says which of the two it is. */
  resolved(color) {
    this.place.style.color = color;
    const resolved = getComputedStyle(this.place).color;
    this.place.style.color = '';
    return resolved;
  }

  add(time, point) {
    const times = this.columns[0];
    if (times.length > 0 && time < times.at(-1)) { // the clock was set back, and a chart wants its points in order
      this.columns.forEach(column => column.splice(0));
    }
    while (times.length > 0 && times[0] < time - MOST_SECONDS) {
      this.columns.forEach(column => column.shift());
    }
    [time, ...this.lines.map(line => point && line.value(point))].forEach((value, i) => this.columns[i].push(value));
    this.plot.setData(this.columns);
    if (this.plot.cursor.left < 0) { // nobody points at another moment
      this.plot.setLegend({idx: this.columns[0].length - 1});
    }
  }
}

const unanswered = requests => Object.entries(requests)
  .filter(([ending]) => ending !== 'ok' && ending !== 'over_limit')
  .reduce((sum, [, rate]) => sum + rate, 0);
const all = requests => Object.values(requests).reduce((sum, rate) => sum + rate, 0);

let looks = [];

const charts = [
  new Chart(find('requests'), [
    {label: 'pass', color: '--good', value: now => now.requests.ok},
    {label: 'over limit', color: '--over', value: now => now.requests.over_limit},
    {label: 'not decided', color: '--bad', value: now => unanswered(now.requests)},
  ]),
  new Chart(find('latency'), [
    {label: 'answers p50', color: '--blue', value: now => now.answer_ms && now.answer_ms.p50},
    {label: 'answers p99', color: '--over', value: now => now.answer_ms && now.answer_ms.p99},
    {label: 'store p99', color: '--quiet', dash: [4, 4], value: now => now.store_ms && now.store_ms.p99},
  ]),
];
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => charts.forEach(chart => chart.draw()));

function showState(now) {
  find('version').textContent = now.version;
  const well = now.obstacles.length === 0;
  const pills = [
    [well ? 'ready' : 'not ready', well],
    [now.store_reachable ? 'store reachable' : 'store not reachable', now.store_reachable],
    [rulesState(now), !now.rules_refused && now.rules_version > 0],
  ];
  fill('state', pills.map(([text, good]) => element('li', text, good ? '' : 'bad')));
  trouble(now.obstacles.join('; '));
}

function rulesState(now) {
  return now.rules_refused ? 'newest rules refused' : now.rules_version > 0 ? 'rules in force' : 'no rules yet';
}

function trouble(text) {
  const place = find('trouble');
  if (place.textContent !== text) { // else it would be read aloud each second
    place.textContent = text;
    place.hidden = text === '';
  }
}

/** Nothing is known of it: what was seen before shall not be taken for what is. */
function showNothing(why) {
  looks = [];
  find('state').replaceChildren(element('li', 'no answer', 'bad'));
  find('tiles').replaceChildren();
  find('rules').replaceChildren();
  find('more').textContent = '';
  charts.forEach(chart => chart.add(Date.now() / 1000, null));
  trouble(why);
}

function showTiles(now) {
  const requests = all(now.requests);
  const rate = value => now.seconds > 0 ? number(value) : '–'; // of the first look nothing is known
  const tiles = [
    ['requests/s', rate(requests)],
    ['over limit', requests ? number(100 * now.requests.over_limit / requests) + ' %' : '–'],
    ['not decided/s', rate(unanswered(now.requests))],
    ['answers, p99 ms', now.answer_ms ? number(now.answer_ms.p99) : '–'],
    ['from memory/s', rate(now.remembered)],
    ['store failures/s', rate(now.store_failures)],
    ['connections', whole.format(now.connections)],
    ['rules', whole.format(now.rule_count)],
  ];
  if (now.replicas > 0) {
    tiles.push(['replicas', whole.format(now.replicas)]);
  }
  fill('tiles', tiles.map(([label, value]) => {
    const tile = document.createElement('div');
    tile.append(element('dt', label), element('dd', value));
    return tile;
  }));
}

/** One second alone would make the table dance. */
function showRules(now) {
  looks.push(now);
  let seconds = looks.reduce((sum, look) => sum + look.seconds, 0);
  while (looks.length > 1 && seconds - looks[0].seconds >= RULES_SECONDS) {
    seconds -= looks.shift().seconds;
  }
  const rules = new Map();
  for (const look of looks) {
    for (const rule of look.rules) {
      const sum = rules.get(rule.name) ?? {name: rule.name, hits: 0, near: 0, over: 0};
      for (const count of ['hits', 'near', 'over']) {
        sum[count] += rule[count] * look.seconds / seconds;
      }
      rules.set(rule.name, sum);
    }
  }
  const most = [...rules.values()].sort((one, other) => other.hits - one.hits || one.name.localeCompare(other.name));
  fill('rules', most.slice(0, MOST_RULES).map(ruleRow));
  const untold = Math.max(most.length, now.rules_hit) - MOST_RULES;
  find('more').textContent =
    most.length === 0 ? 'None was hit.' : untold > 0 ? `And at least ${whole.format(untold)} more.` : '';
}

function ruleRow(rule) {
  const row = document.createElement('tr');
  const share = rule.hits > 0 ? rule.over / rule.hits : 0;
  const bar = document.createElement('meter');
  Object.assign(bar, {optimum: 0, low: 0.01, high: 0.5, value: share});
  const cell = element('td', '', 'share');
  cell.append(bar, ` ${number(100 * share)} %`);
  row.append(element('td', rule.name), ...['hits', 'near', 'over'].map(count => element('td', number(rule[count]))), cell);
  return row;
}

async function text(path, options) {
  const reply = await fetch(path, {cache: 'no-store', ...options});
  return reply.text();
}

/** Gives null where no answer comes, or none of what the page knows. */
async function newest() {
  try {
    const reply = await fetch('live/now', {cache: 'no-store', signal: AbortSignal.timeout(5 * EVERY_MS)});
    return reply.ok ? await reply.json() : null;
  } catch {
    return null;
  }
}

function show(now) {
  showState(now);
  showTiles(now);
  if (now.seconds > 0) {
    charts.forEach(chart => chart.add(Date.now() / 1000, now));
    showRules(now);
  } else { // nobody has looked for a while: the lines begin anew
    looks = [];
    charts.forEach(chart => chart.add(Date.now() / 1000, null));
  }
}

async function look() {
  const now = await newest();
  setTimeout(look, EVERY_MS);
  if (now) {
    show(now);
  } else {
    showNothing('This replica does not answer.');
  }
}

/** Shows what a page of this port says, while the button waits. */
async function ask(place, button, meanwhile, asked) {
  button.disabled = true;
  place.textContent = meanwhile;
  try {
    place.textContent = await asked;
  } catch {
    place.textContent = 'This replica does not answer.';
  }
  button.disabled = false;
}

find('watch').addEventListener('click', event =>
  ask(find('busiest'), event.target, 'Watching ...', text('busiest')));

/** A line is a descriptor, as on the command line: key=value,key=value, where a comma that parts nothing is \,. */
function descriptors(lines) {
  return lines.split('\n').filter(line => line.trim() !== '').map(line => ({
    entries: line.split(/(?<!\\),/).map(entry => entry.replaceAll('\\,', ',')).map(entry => {
      const at = entry.indexOf('=');
      return at < 0 ? {key: entry} : {key: entry.slice(0, at), value: entry.slice(at + 1)};
    }),
  }));
}

find('explain').addEventListener('submit', event => {
  event.preventDefault();
  const form = event.target;
  const body = JSON.stringify({domain: form.domain.value, descriptors: descriptors(form.descriptors.value)});
  ask(find('explanation'), form.querySelector('button'), '', text('explain', {method: 'POST', body}));
});

look();
