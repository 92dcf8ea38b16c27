import { type Fragment, timestamp } from '#query';

export const utcText = (time: Fragment): Fragment => timestamp(time).shown();
