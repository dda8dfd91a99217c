'use strict';
// Lines over the last ten minutes, and how numbers are shown.

const MOST_SECONDS = 600;
const LEAST_SECONDS = 60;
const HEIGHT = 200;

const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const fine = new Intl.NumberFormat('en', {maximumSignificantDigits: 2});

function number(value) {
  return (value < 100 ? fine : whole).format(value);
}

function clock(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString();
}

/** Where a value stands between gaps: no line goes there, so it needs a point. */
function lone(values) {
  const places = [...values.keys()].filter(i => values[i] != null && values[i - 1] == null && values[i + 1] == null);
  return places.length > 0 ? places : null;
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
      points: {show: false, width: 0, size: 4, fill: color(line.color), filter: (plot, i) => lone(plot.data[i])},
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
