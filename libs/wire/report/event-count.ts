import { type Limits, overLimit } from '#limits';

/**
 * The events of one report, counted as they are read, and the characters that they share with their resource. Each event
 * is stored with its resource's title and path, so that a long title and many events are much more than their text.
 */
export class EventCount {
  private events = 0;
  private characters = 0;

  constructor(private readonly limits: Limits) {}

  /** Counts one more event of a resource whose texts have this many characters. Fault `wire.limit`. */
  add(resourceCharacters: number): void {
    this.characters += resourceCharacters;
    if (++this.events > this.limits.events) throw overLimit(this.limits, 'events');
    if (this.characters > this.limits.eventCharacters) throw overLimit(this.limits, 'eventCharacters');
  }
}
