/** Returns SQL for ISO 8601, UTC, with milliseconds. `column` must be a trusted name. */
export const isoTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
