import { Sheet } from '../elements/sheet';

/** The Zap as a guide for the real editor, which a person can also copy by hand. */
export const GuideText = ({ text }: { text: string }) => (
  <Sheet title="Build this Zap in Zapier">
    <p id="guide-copied" role="status" class="soft">
      Select the text and copy it, to build this Zap in Zapier's editor.
    </p>
    <textarea
      id="guide-markdown"
      rows={Math.min(text.split('\n').length, 20)}
      readonly
      spellcheck={false}
      dir="auto"
      aria-label="Guide for Zapier's editor"
      data-copied="Copied. Follow these steps to build this Zap in Zapier's editor."
    >
      {text}
    </textarea>
  </Sheet>
);
