import { type Fragment, timestamp } from '#query';

/** Formats a time as in answers to queries: `2026-01-31T12:00:00.000Z`. */
export const utcText = (time: Fragment): Fragment => timestamp(time).shown();
