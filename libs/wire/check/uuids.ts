const spelling = /^(\{)?([0-9a-f]{4}(?:-?[0-9a-f]{4}){7})(\})?$/i;
const usual = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Accepts all spellings that PostgreSQL reads: capitals, braces, and hyphens at other places. */
export function readUuid(text: string): string | undefined {
  if (usual.test(text)) return text;
  const m = spelling.exec(text);
  if (m === null || (m[1] === undefined) !== (m[3] === undefined)) return undefined;
  return spellUuid(m[2]!.replaceAll('-', '').toLowerCase());
}

export function spellUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
