/** Returns SQL that formats a time as text: ISO 8601, UTC, with milliseconds. `column` is a trusted name. */
export const isoTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
