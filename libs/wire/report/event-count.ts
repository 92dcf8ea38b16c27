import { type Limits, overLimit } from '#limits';

/**
 * Counts the events of one report while it is read, and the characters that each event repeats from its resource. Each
 * event is stored with its resource's title and path, so many events with a long title take much more space than their
 * text.
 */
export class EventCount {
  private events = 0;
  private characters = 0;

  constructor(private readonly limits: Limits) {}

  /** Counts one event of a resource whose texts have this many characters. Fault `wire.limit`. */
  add(resourceCharacters: number): void {
    this.characters += resourceCharacters;
    if (++this.events > this.limits.events) throw overLimit(this.limits, 'events');
    if (this.characters > this.limits.eventCharacters) throw overLimit(this.limits, 'eventCharacters');
  }
}
