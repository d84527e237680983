// The difference of two texts by lines, after Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).

/** The most changed lines that are looked for one by one; texts that differ more are shown as one block each. */
const mostChanges = 1_000;

/**
 * The lines of both texts in order: `{sign: " " | "-" | "+", text, left, right}`. `left` and `right` are the line"s
 * number in each text, from 1; the one in which it is not is null.
 */
export function difference(before, after) {
  const [left, right] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head += 1;
  let tail = 0;
  const most = Math.min(left.length, right.length) - head;
  while (tail < most && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;
  const signs = [
    ..." ".repeat(head),
    ...middle(left.slice(head, left.length - tail), right.slice(head, right.length - tail)),
    ..." ".repeat(tail),
  ];
  let [l, r] = [0, 0];
  return signs.map((sign) => {
    const text = sign === "+" ? right[r] : left[l];
    const row = { sign, text, left: sign === "+" ? null : l + 1, right: sign === "-" ? null : r + 1 };
    if (sign !== "+") l += 1;
    if (sign !== "-") r += 1;
    return row;
  });
}

/** The signs of the shortest way from one list of lines to the other. */
function middle(left, right) {
  const whole = [..."-".repeat(left.length), ..."+".repeat(right.length)];
  if (left.length === 0 || right.length === 0) return whole;
  const reach = new Map([[1, 0]]);
  const past = [];
  for (let d = 0; d <= Math.min(left.length + right.length, mostChanges); d += 1) {
    past.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      const isDown = k === -d || (k !== d && reach.get(k - 1) < reach.get(k + 1));
      let x = isDown ? reach.get(k + 1) : reach.get(k - 1) + 1;
      while (x < left.length && x - k < right.length && left[x] === right[x - k]) x += 1;
      reach.set(k, x);
      if (x >= left.length && x - k >= right.length) return trace(past, left.length, right.length);
    }
  }
  return whole;
}

function trace(past, x, y) {
  const signs = [];
  for (let d = past.length - 1; d >= 0; d -= 1) {
    const [reach, k] = [past[d], x - y];
    const isDown = k === -d || (k !== d && reach.get(k - 1) < reach.get(k + 1));
    const from = isDown ? k + 1 : k - 1;
    const [startX, startY] = [reach.get(from), reach.get(from) - from];
    while (x > startX && y > startY) {
      signs.push(" ");
      [x, y] = [x - 1, y - 1];
    }
    if (d > 0) signs.push(isDown ? "+" : "-");
    [x, y] = [startX, startY];
  }
  return signs.reverse();
}

/** The rows with `around` unchanged ones beside each change; a run that is left out is one row `{skipped: count}`. */
export function changes(rows, around = 3) {
  const isNear = rows.map(() => false);
  rows.forEach((row, at) => {
    if (row.sign === " ") return;
    for (let i = Math.max(0, at - around); i <= Math.min(rows.length - 1, at + around); i += 1) isNear[i] = true;
  });
  const shown = [];
  rows.forEach((row, at) => {
    if (isNear[at]) return shown.push(row);
    if (shown.at(-1)?.skipped) shown.at(-1).skipped += 1;
    else shown.push({ skipped: 1 });
  });
  return shown;
}
