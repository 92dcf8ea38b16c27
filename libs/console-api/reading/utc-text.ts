import { type Fragment, timestamp } from '#query';

/** Returns the text of a time, as the answers to queries have it: `2026-01-31T12:00:00.000Z`. */
export const utcText = (time: Fragment): Fragment => timestamp(time).shown();
