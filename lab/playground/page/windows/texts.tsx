/** Texts by name, as a window of another app shows what it holds. */
export const Texts = ({ texts }: { texts: readonly (readonly [name: string, text: string])[] }) => (
  <dl>
    {texts.map(([name, text]) => (
      <div>
        <dt dir="auto">{name}</dt>
        <dd class="written" dir="auto">
          {text}
        </dd>
      </div>
    ))}
  </dl>
);
