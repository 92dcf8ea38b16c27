/** Formats a double as Java, and therefore PuppetDB, does: `1500.0`, `1.0E7`, `1.0E-4`. */
export function spellDouble(value: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  if (size === 0) return `${sign}0.0`;
  if (size >= 1e-3 && size < 1e7) {
    const plain = size.toString();
    return sign + (plain.includes('.') ? plain : `${plain}.0`);
  }
  const [mantissa = '', exponent = ''] = size.toExponential().split('e');
  return `${sign}${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}
