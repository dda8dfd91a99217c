'use strict';
// Asks each second what has happened since, and shows the last ten minutes; a browser lets a hidden page ask only once a minute, and then
// there is a gap. What is told is only ever set as text.

const EVERY_MS = 1000;
const RULES_SECONDS = 10;
const GAP_SECONDS = 10;
const ASKED_MS = 30_000;
const MOST_RULES = 50;
const SILENT = 'This replica does not answer.';

const find = id => document.getElementById(id);

/** What somebody has marked stays, until he has copied it. */
function fill(id, elements) {
  const place = find(id);
  const marked = getSelection();
  if (marked.isCollapsed || !marked.containsNode(place, true)) {
    place.replaceChildren(...elements);
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

const unanswered = requests => Object.entries(requests)
  .filter(([ending]) => ending !== 'ok' && ending !== 'over_limit')
  .reduce((sum, [, rate]) => sum + rate, 0);
const all = requests => Object.values(requests).reduce((sum, rate) => sum + rate, 0);

let looks = [];
let shownAt = Date.now() / 1000;

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
  find('state').replaceChildren(...pills.map(([text, good]) => element('li', text, good ? '' : 'bad')));
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

/** What comes next has nothing to do with what was seen before a moment. */
function forget(time) {
  looks = [];
  charts.forEach(chart => chart.add(time, null));
}

function showNoRules() {
  find('rules').replaceChildren();
  find('more').textContent = '';
}

/** Nothing is known of it: what was seen before shall not be taken for what is. */
function showNothing(why) {
  find('state').replaceChildren(element('li', 'not known', 'bad'));
  find('tiles').replaceChildren();
  forget(Date.now() / 1000);
  showNoRules();
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
  const reply = await fetch(path, {cache: 'no-store', signal: AbortSignal.timeout(ASKED_MS), ...options});
  return reply.text();
}

/** Gives what happens now, or why that is not known. */
async function newest() {
  try {
    const reply = await fetch('live/now', {cache: 'no-store', signal: AbortSignal.timeout(5 * EVERY_MS)});
    return reply.ok
      ? {now: await reply.json()}
      : {why: `This replica answered with ${reply.status}; its log says more.`};
  } catch {
    return {why: SILENT};
  }
}

function show(now) {
  const known = find('version').textContent;
  if (known !== '' && known !== now.version) { // another Weir, with another page
    location.reload();
    return;
  }
  const time = Date.now() / 1000;
  if (time - shownAt > GAP_SECONDS) { // the page was hidden, or its machine slept
    forget(time - EVERY_MS / 1000);
  }
  shownAt = time;
  showState(now);
  showTiles(now);
  if (now.seconds > 0) {
    charts.forEach(chart => chart.add(time, now));
    showRules(now);
  } else { // nobody has looked for a while: the lines begin anew
    forget(time);
    showNoRules();
  }
}

async function look() {
  const {now, why} = await newest();
  setTimeout(look, EVERY_MS);
  if (why) {
    showNothing(why);
    return;
  }
  try {
    show(now);
  } catch (mistake) {
    console.error(mistake);
    showNothing('This replica tells what this page does not know: load it anew.');
  }
}

/** Shows what a page of this port says, while the button waits. */
async function ask(place, button, meanwhile, asked) {
  button.disabled = true;
  place.textContent = meanwhile;
  try {
    place.textContent = await asked;
  } catch {
    place.textContent = SILENT;
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
