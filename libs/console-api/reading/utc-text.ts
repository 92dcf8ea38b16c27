import { type Fragment, timestamp } from '#query';

/** Returns the SQL for the text of a time, in the format of answers to queries: `2026-01-31T12:00:00.000Z`. */
export const utcText = (time: Fragment): Fragment => timestamp(time).shown();
