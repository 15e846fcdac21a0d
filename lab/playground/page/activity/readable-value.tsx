import { outputsOf } from '../../../zapier/fields/mapping';
import { orderOutputs } from '../../service/order-outputs';
import { maskSecrets, toReadableJson } from '../../service/readable-json';
import { nameOf } from '../elements/readable';

const maxLength = 20_000;
const maxRows = 60;

/** What is in a text of JSON, or the value itself. */
const parse = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/** The value without its secrets. Undefined when it's nested too deeply to show. */
const withoutSecrets = (json: string): unknown => {
  const parsed = parse(json);
  return parsed === json ? undefined : parsed;
};

/** A value of a story: its texts as a list of names and values, with the JSON behind a switch. */
export const ReadableValue = ({ value }: { value: unknown }) => {
  const parsed = parse(value);
  const json = typeof parsed === 'string' ? parsed : toReadableJson(parsed, maskSecrets);
  const rows = orderOutputs(outputsOf(withoutSecrets(json))).filter((each) => each.value !== '');
  const code = <pre tabindex={0}>{json.slice(0, maxLength)}</pre>;
  if (rows.length === 0) return code;
  return (
    <>
      <dl class="inputs">
        {rows.slice(0, maxRows).map(({ path, value: text }) => (
          <div>
            <dt dir="auto" title={path}>
              {nameOf(path)}
            </dt>
            <dd dir="auto">{text.slice(0, 500)}</dd>
          </div>
        ))}
      </dl>
      <details class="as-json">
        <summary>JSON</summary>
        {code}
      </details>
    </>
  );
};
