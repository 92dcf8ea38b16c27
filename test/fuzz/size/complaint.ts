import type { Outcome } from './reader-child';

/** Longest text of a refusal. */
const mostAnswerCharacters = 8_192;
/** Processor time that any case may take, and the additional time for each byte. Both are many times what is needed. */
const freeMs = 1_000;
const msOfByte = 0.02;

/**
 * Returns why the outcome of a case is wrong: an unexpected error, a long answer, or more time than its size explains.
 */
export function complaint({ ending, size, cpuMs }: Outcome): string | undefined {
  if (ending.end === 'broken') return ending.error;
  if (ending.end === 'refused') {
    if (ending.length > mostAnswerCharacters)
      return `the refusal has ${ending.length} characters: ${ending.answer.slice(0, 200)}`;
    if (ending.answer === '') return 'a refusal without a text';
  }
  if (cpuMs > freeMs + msOfByte * size) return `it took ${Math.round(cpuMs)} ms for ${size} bytes`;
  return undefined;
}
