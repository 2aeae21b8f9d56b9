/** The operator's own editor. */
export interface Editor {
  /** Shows `text` and answers what it was changed to; undefined when the editor was left with an error. */
  edit(text: string, name: string): Promise<string | undefined>;
}
