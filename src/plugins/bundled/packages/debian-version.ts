// Compares versions of Debian packages exactly as dpkg does (deb-version(7)).

/** Negative: the first is older. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [partsOf(one), partsOf(other)];
  return (
    compareNumbers(first.epoch, second.epoch) ||
    compareParts(first.upstream, second.upstream) ||
    compareParts(first.revision, second.revision)
  );
}

function partsOf(version: string): { epoch: string; upstream: string; revision: string } {
  const text = version.trim();
  const colon = text.indexOf(':');
  const rest = text.slice(colon + 1);
  const dash = rest.lastIndexOf('-');
  return {
    epoch: colon < 0 ? '0' : text.slice(0, colon),
    upstream: dash < 0 ? rest : rest.slice(0, dash),
    revision: dash < 0 ? '' : rest.slice(dash + 1),
  };
}

/** Compares in turn a part without digits, character by character, and a number. */
function compareParts(one: string, other: string): number {
  let [restOne, restOther] = [one, other];
  while (restOne !== '' || restOther !== '') {
    const [textOne, textOther] = [nonDigits(restOne), nonDigits(restOther)];
    const byText = compareText(textOne, textOther);
    if (byText !== 0) return byText;
    [restOne, restOther] = [restOne.slice(textOne.length), restOther.slice(textOther.length)];
    const [numberOne, numberOther] = [numberAtStart(restOne), numberAtStart(restOther)];
    const byNumber = compareNumbers(numberOne, numberOther);
    if (byNumber !== 0) return byNumber;
    [restOne, restOther] = [restOne.slice(numberOne.length), restOther.slice(numberOther.length)];
  }
  return 0;
}

const nonDigits = (text: string) => /^\D*/.exec(text)![0];
const numberAtStart = (text: string) => /^\d*/.exec(text)![0];

function compareText(one: string, other: string): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const difference = weightOf(one[at]) - weightOf(other[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A tilde is before the end, the end before letters, and letters before everything else. */
function weightOf(sign: string | undefined): number {
  if (sign === undefined) return 0;
  if (sign === '~') return -1;
  return /[A-Za-z]/.test(sign) ? sign.charCodeAt(0) : sign.charCodeAt(0) + 256;
}

/** Numbers of any length. */
function compareNumbers(one: string, other: string): number {
  const [first, second] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')];
  if (first.length !== second.length) return first.length - second.length;
  return first < second ? -1 : first > second ? 1 : 0;
}
