import { type NamedFile, readNamedFile } from './read-named-file';

export class FileContent<T> {
  private constructor(
    private readonly file: NamedFile,
    private readonly parse: (text: string) => T,
    private text: string,
    private parsed: T,
  ) {}

  /** Reads and parses a file. Throws the faults of `readNamedFile` and of `parse`. */
  static async open<T>(file: NamedFile, parse: (text: string) => T): Promise<FileContent<T>> {
    const text = await readNamedFile(file);
    return new FileContent(file, parse, text, parse(text));
  }

  get current(): T {
    return this.parsed;
  }

  /**
   * Reads the file again, and returns whether its content has changed. If the new content is invalid, throws like
   * `open`, and `current` stays the same.
   */
  async reload(): Promise<boolean> {
    const text = await readNamedFile(this.file);
    if (text === this.text) return false;
    this.parsed = this.parse(text);
    this.text = text;
    return true;
  }
}
