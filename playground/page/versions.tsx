import { hasDraft } from '../../zapier/zap/versions';
import type { Zap } from '../../zapier/zap/zap';
import { oneClick, postWithStep, showZap, swapZap } from './swap';

/** Whether a Zap has versions before and after the one that the editor shows. */
export interface Steppable {
  canUndo: boolean;
  canRedo: boolean;
}

const Step = ({ zap, name, isPossible }: { zap: Zap; name: 'Undo' | 'Redo'; isPossible: boolean }) => (
  <button
    type="button"
    id={name.toLowerCase()}
    class="secondary outline small"
    // The page keeps `disabled` when this part changes.
    aria-disabled={isPossible ? 'false' : 'true'}
    hx-post={`/zap/${zap.id}/${name.toLowerCase()}`}
    hx-include="#step [name=at], #step [name=stage]"
    data-resets
    {...swapZap}
  >
    {name}
  </button>
);

/** Undo and Redo, and Publish for a Zap that is on and runs other steps. */
export const Versions = ({ zap, versions }: { zap: Zap; versions: Steppable }) => (
  <>
    <Step zap={zap} name="Undo" isPossible={versions.canUndo} />
    <Step zap={zap} name="Redo" isPossible={versions.canRedo} />
    {hasDraft(zap) && (
      <p class="draft">
        <span>
          <strong>Draft.</strong> The Zap runs its published version until you publish your changes.
        </span>
        <button type="button" id="publish" {...postWithStep(`/zap/${zap.id}/publish`)}>
          Publish
        </button>
      </p>
    )}
  </>
);

/** Renames, duplicates or deletes a Zap. */
export const Manage = ({ zap }: { zap: Zap }) => (
  <details id="manage" class="manage">
    <summary class="manage-title">Rename, duplicate or delete</summary>
    <form
      hx-post={`/zap/${zap.id}/rename`}
      hx-include="#step [name=at], #step [name=stage]"
      {...oneClick.form}
      {...swapZap}
    >
      <label class="manage-name">
        Name of the Zap
        <input
          name="title"
          id="zap-name"
          class="manage-input"
          value={zap.title}
          maxlength={120}
          required
          autocomplete="off"
          dir="auto"
        />
      </label>
      <button type="submit" id="rename" class="secondary outline">
        Rename
      </button>
    </form>
    <p class="buttons">
      <button
        type="button"
        id="duplicate"
        class="secondary outline"
        {...postWithStep(`/zap/${zap.id}/duplicate`)}
        {...showZap}
      >
        Duplicate
      </button>
      <button type="button" id="delete" class="quiet" {...postWithStep(`/zap/${zap.id}/delete`)} {...showZap}>
        Delete
      </button>
    </p>
  </details>
);

const Restore = ({ zap, id, children }: { zap: Zap; id: string; children: string }) => (
  <button
    type="button"
    id={id}
    class="secondary outline small"
    hx-post={`/zap/${zap.id}/restore`}
    {...oneClick.button}
    {...showZap}
  >
    {children}
  </button>
);

/** Empties the playground, after a second click. */
export const StartOver = () => (
  <details id="start-over" class="manage">
    <summary class="manage-title">Start over</summary>
    <p class="intro">
      Deletes every Zap, run, chat and contact in the playground and restores its first data. You can't undo this.
    </p>
    <button
      type="button"
      id="empty"
      class="secondary outline"
      hx-post="/start-over"
      hx-swap="none"
      {...oneClick.button}
    >
      Remove everything
    </button>
  </details>
);

/** Says that a Zap was deleted, with a way back. */
export const JustDeleted = ({ zap }: { zap: Zap }) => (
  <p class="draft" role="status">
    <span>
      <span dir="auto">{zap.title}</span> is deleted.
    </span>
    <Restore zap={zap} id="undo-delete">
      Undo
    </Restore>
  </p>
);

/** The deleted Zaps, each with a button that restores it. */
export const DeletedZaps = ({ zaps }: { zaps: readonly Zap[] }) =>
  zaps.length === 0 ? null : (
    <details id="deleted-zaps" class="manage">
      <summary class="manage-title">Deleted Zaps ({zaps.length})</summary>
      <ul>
        {zaps.map((zap) => (
          <li>
            <span dir="auto">{zap.title}</span>{' '}
            <Restore zap={zap} id={`restore-${zap.id}`}>
              Restore
            </Restore>
          </li>
        ))}
      </ul>
    </details>
  );
