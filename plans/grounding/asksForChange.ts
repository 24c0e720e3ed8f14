import { plainWords, words } from "./words.js";

/** Verbs that ask for a change and for nothing else, as one asks: in English the plain form, elsewhere several. */
const CHANGES = {
  english: new Set(
    words(
      `close delete send transfer refund cancel assign reassign archive publish submit approve reject pay buy purchase invite
      upload deploy install uninstall rename reschedule subscribe unsubscribe terminate erase wipe email mail notify reopen revoke
      disable enable activate deactivate lock unlock restart wire`,
    ),
  ),
  others: new Set(
    words(
      `schließe schließ schließen schliesse schliessen lösche löschen sende senden schicke schick schicken verschicke überweise
      überweisen erstatte erstatten storniere stornieren archiviere archivieren veröffentliche veröffentlichen bezahle bezahlen kaufe
      kaufen bestelle bestellen buche buchen reserviere reservieren verschiebe verschieben benachrichtige benachrichtigen lade hochladen
      einladen zuweisen aktiviere aktivieren deaktiviere deaktivieren entferne entfernen
      ferme fermer fermez supprime supprimer supprimez efface effacer envoie envoyer envoyez réserve réserver réservez annule annuler
      annulez vire virer transfère transférer rembourse rembourser remboursez assigne assigner attribue attribuer publie publier paie
      payer achète acheter commande commander invite inviter archive archiver
      cierra cerrar cierre borra borrar elimina eliminar envía enviar envíe manda mandar reserva reservar cancela cancelar mueve mover
      transfiere transferir reembolsa reembolsar asigna asignar publica publicar paga pagar compra comprar archiva archivar
      chiudi chiudere cancella cancellare eliminare invia inviare mandare prenota prenotare annulla annullare sposta spostare
      trasferisci trasferire rimborsa rimborsare assegna assegnare pubblica pubblicare acquista archiviare
      feche fechar apague apagar exclua excluir envie reserve cancele mova transfira reembolse atribua atribuir publique pague
      sluit sluiten verwijder verwijderen stuur sturen verstuur boek boeken annuleer annuleren betaal betalen
      stäng stänga radera skicka boka avboka betala zamknij usuń wyślij закрой закройте удали удалите отправь отправьте`,
    ),
  ),
  unspaced:
    /关闭|删除|发送|预订|转账|退款|取消|分配|閉じて|削除して|送って|送信して|予約して|キャンセルして|振り込んで|닫아|삭제|보내|예약해|취소해/u,
};

/** Before one of these words, the plain form of an English verb asks for what it says. */
const ASKING = new Set(words("please and then also you now just kindly pls"));

/** Whether a request asks for a change in words that mean nothing else. */
export function asksForChange(request: string): boolean {
  if (CHANGES.unspaced.test(request)) return true;
  return request.split(/(?<=[.!?;:\n])\s+/).some((sentence) => {
    const said = plainWords(sentence).split(" ");
    const isQuestion = sentence.includes("?");
    return said.some((word, at) => {
      const before = said[at - 1];
      if (CHANGES.english.has(word)) return isQuestion ? before === "you" : isCommand(said, at);
      return !isQuestion && CHANGES.others.has(word);
    });
  });
}

/** "Close it", "please close it", "find them and close them", "I want you to close it", but not "show what to close". */
function isCommand(said: readonly string[], at: number): boolean {
  const before = said[at - 1];
  if (before === "to") return said[0] === "i" || said[0] === "we";
  return before === undefined || ASKING.has(before);
}
