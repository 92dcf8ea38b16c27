export { Counter } from './counter';
export { Distribution, percentages, type Statistics } from './distribution';
export { type LabelledMeter, MeterSet } from './meter-set';
export { Rates, type RateValues } from './rates';
export { Stopwatch } from './stopwatch';
export { Timer } from './timer';
