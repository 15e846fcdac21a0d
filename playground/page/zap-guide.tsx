import type { Zap } from '../../zapier/zap/zap';
import { inTurn } from './swap';

/** Shows the Zap as a guide for the real editor, and copies it. */
export const ZapGuide = ({ zap }: { zap: Zap }) => (
  <div class="take-along">
    <button
      type="button"
      id="copy-guide"
      class="secondary outline small"
      hx-get={`/guide/${zap.id}`}
      {...inTurn}
      hx-target="#guide-text"
      hx-swap="innerHTML"
      data-copies="guide-markdown"
    >
      Copy as a guide
    </button>
    <div id="guide-text" />
  </div>
);

/** The guide as text, which a person can also copy by hand. */
export const GuideText = ({ text }: { text: string }) => (
  <>
    <p id="guide-copied" role="status" class="intro">
      Select the text and copy it, to build this Zap in Zapier's editor.
    </p>
    <button type="button" id="close-guide" class="secondary outline small">
      Close the guide
    </button>
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
  </>
);
