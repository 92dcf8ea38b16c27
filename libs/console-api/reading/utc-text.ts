import { type Fragment, timestamp } from '#query';

/** Returns SQL that formats a time as text, as in answers to queries: `2026-01-31T12:00:00.000Z`. */
export const utcText = (time: Fragment): Fragment => timestamp(time).shown();
