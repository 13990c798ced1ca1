// The keys, in a dialog. '?' opens it too.

import { useRef } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { useSignal } from '../state/signal.ts'
import { singleKeys, turnSingleKeys } from '../state/single-keys.ts'
import { useKeys } from '../state/use-keys.ts'

const keys: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['j', 'k'], 'next and previous suggestion or hit'],
  [['a'], 'accept the suggestion; in Memory, it helped'],
  [['r'], 'reject the suggestion; in Memory, it did not help'],
  [['w'], 'why: open or close its reasons'],
  [['n'], 'name a label that is missing'],
  [['o'], 'no label fits the text'],
  [['u'], 'undo the last correction'],
  [['e', '/'], 'edit the text, or search'],
  [['Esc'], 'from the text to the suggestions'],
  [['[', ']'], 'previous and next text of the queue'],
  [['?'], 'these keys'],
]

export function KeysHelp() {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOn = useSignal(singleKeys)
  useKeys({ '?': () => dialog.current?.showModal() })
  return (
    <>
      <button type="button" class="button bare" onClick={() => dialog.current?.showModal()}>
        <Icon name="keyboard" />
        Keys
      </button>
      <dialog ref={dialog} class="dialog" aria-labelledby="keys-title">
        <form method="dialog" class="stack tight">
          <div class="line apart">
            <h2 id="keys-title">Keys</h2>
            <button type="submit" class="button bare square" aria-label="Close">
              <Icon name="cross" />
            </button>
          </div>
          <dl class="keys">
            {keys.map(([names, does]) => (
              <div key={does}>
                <dt>
                  {names.map(name => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <label class="check">
            <input type="checkbox" checked={isOn} onChange={event => turnSingleKeys(event.currentTarget.checked)} />
            Use single-key shortcuts
          </label>
          <p class="small soft">They work while you are not typing. Tab and Enter work everywhere.</p>
        </form>
      </dialog>
    </>
  )
}
