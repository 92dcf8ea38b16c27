export function isInteger(number: string): boolean {
  for (let i = 0; i < number.length; i++) {
    const c = number.charCodeAt(i);
    if (c === 0x2e || c === 0x65 || c === 0x45) return false;
  }
  return true;
}

/**
 * Returns a JSON number in PuppetDB's spelling. Integers stay unchanged, except that `-0` becomes `0`. Other numbers
 * become the shortest digits that give an equal double, in Java's spelling (`1.0`, `1.0E21`, `1.5E-9`). Content hashes
 * and event values use this spelling. jsonb accepts this spelling, but prints numbers as `spellNumberPlain` does.
 */
export function spellNumber(number: string): string {
  if (isInteger(number)) return number === '-0' ? '0' : number;
  const double = Number(number);
  const size = Math.abs(double);
  const sign = double < 0 || Object.is(double, -0) ? '-' : '';
  if (size === 0) return `${sign}0.0`;
  // Java prints the smallest double with two digits.
  if (size === Number.MIN_VALUE) return `${sign}4.9E-324`;
  if (size >= 1e-3 && size < 1e7) {
    const text = String(size);
    return text.includes('.') ? sign + text : `${sign}${text}.0`;
  }
  const [digits, exponent] = size.toExponential().split('e') as [string, string];
  return `${sign}${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
}

/**
 * Returns a JSON number as jsonb prints it after it was stored in the spelling of `spellNumber`: without an exponent.
 */
export function spellNumberPlain(number: string): string {
  const spelt = spellNumber(number);
  if (spelt === '-0.0') return '0.0';
  const e = spelt.indexOf('E');
  if (e < 0) return spelt;
  const negative = spelt.startsWith('-');
  const [whole, fraction] = spelt.slice(negative ? 1 : 0, e).split('.') as [string, string];
  const exponent = Number(spelt.slice(e + 1));
  const sign = negative ? '-' : '';
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`;
  const scale = Math.max(0, fraction.length - exponent);
  const digits = (whole + fraction).padEnd(exponent + 1, '0');
  // In `1.0E21`, the zero of the fraction becomes one of the zeros of the integer.
  return scale === 0
    ? sign + digits.slice(0, exponent + 1)
    : `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/**
 * Returns a JSON number as answers from `/facts` spell it. For these answers, PuppetDB parses the text from jsonb
 * again. A number with a point becomes a double, such as `1.5E-9` or `1.23456785E7`. jsonb prints `12345678.0` without
 * a point, so the answer is `12345678`.
 */
export function spellNumberInAnswers(number: string): string {
  return spellNumber(spellNumberPlain(number));
}
