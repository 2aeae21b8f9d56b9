/** How much a word says, whatever the texts that are searched. */

import { lazy } from '../../base/lazy.ts';

/** From 0 for the most frequent term of English texts about software to 1 for one that is not frequent at all. */
export function informationOf(term: string): number {
  const rank = ranks().get(term);
  return rank === undefined ? 1 : Math.log(1 + rank) / Math.log(1 + ranks().size);
}

const ranks = lazy(() => {
  const ranks = new Map<string, number>();
  for (const term of COMMON_TERMS.split(' ')) ranks.set(term, ranks.size);
  return ranks;
});

/** The terms of the 2,000 most frequent words in the vocabulary of ken-static-1, in the order of their frequency. */
export const COMMON_TERMS =
  'the to and of in is for you that thi with if or be can an on as data from ar by it type us your not name valu ' +
  'exampl when file code return new get set will id test const string all default method api self error object ' +
  'version path creat function element more user class see which onli web have text kei add list properti page ' +
  'follow request true none should we ha inform servic event how at time ani model client net html run also ' +
  'server content js app system no arrai node import def configur variabl context config css http domxref each ' +
  'state fal result script sourc number modul other applic url queri command about input access option must ' +
  'project log these json output index mai custom first size into note but messag do assert same imag then expect ' +
  'start support tabl so link product task like such session read instanc py com attribut github respon avail ' +
  'some view md includ build thei current cach select paramet need check line interfac field updat secur next ' +
  'await cloudflar int specif process async two src format call make block mode end target token where up base ' +
  'after befor date packag browser window chang out there document level control case open sql consol my db refer ' +
  'str write doe differ specifi devic local than git directori now wa want singl xml ref databa let export home ' +
  'express connect runtim shell requir basic multipl their header descript without rule func color group match ' +
  'order featur prodnam item null doc instead java been languag public python action length them stream non info ' +
  'form fn host core memori map framework javascript what django statu given displai instal relea between style ' +
  'repositori equal cluster both re ts provid site load learn becau within work schema max rang polici defin mock ' +
  'root section entri enabl label allow powershel el through go copi templat store sampl contain network search ' +
  'worker oper metadata cssxref common resourc cloud react visual static storag global syntax filter button tool ' +
  'environ width media main remov account assist titl click find while via power assembl copilot except point ' +
  'compon entiti whether address collect div behavior istio perform our most frame right buffer err inlin domain ' +
  'yaml argument ui detail column cannot over handl ad arg would os hub exten wai warn namespac box salt help ' +
  'airflow show job try full delet pattern statement top posit platform count howev dag last mani bodi exist ' +
  'scope automat fix np locat standard left privat onc part gener appli audio empti pull child tab svg might auto ' +
  'pass below here don len cli issu bind usag mask integr either debug render workflow remot microsoft ip ' +
  'enterpri step librari valid post alwai anoth possibl callback own tobe handler endpoint develop num dir torch ' +
  'manag role dom parent rout origin flutter port send foo fetch per dict everi authent auth jsxref height short ' +
  'cockroach shape compil video dtype nativ constructor row promi addit email aria organ hidden certif deno px ' +
  'bool side font alreadi background long guid plugin float kwarg even tag ensur env strict directli previou ' +
  'those articl cs param sdk rai agent ps second intern boolean under doesn traffic found just reusabl disabl ' +
  'htmlelement setup firefox layout dotnet math tree ap resolv transform dev implement layer csharp undefin autom ' +
  'sinc integ interact gl take bash byte dure insid invalid par password var ll timeout member listen binari ' +
  'execut googl activ nil could autotitl proxi depend channel matrix complet mcp xref extern mean structur batch ' +
  'built zero pipelin zone effect graph well share nbsp protocol dn still simpl io ai unit stack record replac ' +
  'sequenc abov azur convert back switch overview offset trigger tensor typescript wcf live org space prefix sync ' +
  'init join print limit analysi charact ident cockroachdb meta pytest en permiss hash queue bar push prototyp ' +
  'thread bug filenam accept prompt registri router throw across cmdlet ca hook transport relat grid raw admin ' +
  'team multi secret three append keyword glossari uint virtual report metric obj transact sensor profil gatewai ' +
  'span associ primari uri deprec min save php flag dashboard branch initi vector overrid repr chunk trace uniqu ' +
  'encod numpi close border screen were selector dynam util download off ignor random avoid folder best kind stop ' +
  'look track split tl latest known canva sure until choo machin deploi program hello vb similar longer later ' +
  'wait miss sent definit identifi pointer keep instruct region continu break backend done sub larg seri rel down ' +
  'linux parser comment credenti webpack flow symbol enter void extra tutori ok consid engin comput cor skip fail ' +
  'cross pre npm high manifest op usernam anim clipboard observ made commit menu edit migrat scroll sever upgrad ' +
  'lock ms verifi author websit loop old total patch edg against rate yield linq regist bit studio plain alia ' +
  'describ conn present widget otherwi datetim determin recommend special declar panda term playwright correct ' +
  'cmd move repo rtc loader review axi clear explicitli tupl po alert complex regular builder condit shown ' +
  'dataset commun ex rather durat isinst world interv procedur navig abl topic written socket nest android compat ' +
  'itself reader merg separ receiv indic contract lib sign dim etc insert subscript particular cooki third ' +
  'sidebar histori categori timestamp correspond light ctx safe apiref often destin advanc equiv snapshot dart ' +
  'stat place area maximum deep asynchron cau weight free outsid catch demo rs typic publish scale real val ' +
  'summari never rest drop middlewar appropri icon variou transit veri kubernet ext fill liter includecach notif ' +
  'progress asset runner plea attent pad spec unknown aw futur numer docker extend isn design bundl prevent ' +
  'experi ve li know plan suppress loki gpu xr ssh dai children signatur less fs cargo payload head editor exit ' +
  'modifi resolut certain ls partial captur parti visibl png individu pool factori constraint reset necessari txt ' +
  'msg emb href expr hostnam laravel someth tempor master signal retriev sum manual logic good least word ' +
  'explicit utf redirect begin mac ye retri who sort login pub normal chat forc forward valueerror trust doubl ' +
  'reason foundat ws small textur babel final ur year mark tcp opt architectur es sympi legaci usual attr ds reg ' +
  'lower restor algorithm invok understand struct processor ssl bucket correctli pseudo backup much disk counter ' +
  'turn better ci capabl center sh prop failur entir fallback iter along month cpu enum pipe fit whose period ret ' +
  'linear win termin hot focu unless success extract too th alpha fulli actual readi inner ruleset solut therefor ' +
  'logger www compar transfer slice few readabl na big constant put pod minion clr card depth underli df upload ' +
  'bottom super gen workspac lambda choic around softwar peer assign shadow togeth deriv vs unsaf conver score ' +
  'chain serial tsx fragment due tmp minimum flex pkg apach approach creation improv dictionari why anchor char ' +
  'idx magic protect give fast monitor mesh driver theme blog margin appear pip webgl evalu tip sensit preview ' +
  'clone cursor wrangler person contact strong emit direct parallel thing dialog deleg low elif train thrown ' +
  'learnwebdevelop immedi again img pr qualiti screenshot internet sha owner sklearn asp lookup problem localhost ' +
  'mod toml markdown eslint buf spar exp webassembl conf prioriti jest sym demonstr gh csv occur red zip reduc ' +
  'incom clau submit writer delai analyt exclud wasm datafram peopl pair ql wrap book td exact blob helper ' +
  'strictequ scenario mechan servicemodel subject detect absolut wildcard jsx diff yet concept endif further maco ' +
  'tunnel fixtur desktop relev factor cl loss viewport apollo intend wrapper clean prodnamecopilotshort schedul ' +
  'amount tostr distribut pend xp ml plai gradient altern discoveri amazon sometim ag wide bound telemetri pd neg ' +
  'comparison hugo ifver curl practic req mixin stdout readonli lt licen grain gc graphql regex keyboard greater ' +
  'dll unicod typeof align introduct cancel ns pixel toequal major pi modern implicit bin crypto unmanag chrome ' +
  'easier typeerror alter contrib col mem llm refresh optionalinlin workload abort nan introduc attempt overflow ' +
  'watch sqlite scheme bad beta abstract easi guidelin geometri shift illumin repeat expectsubscript room higher ' +
  'ratio accord materi successfulli arr cast purpo todo rst gt partit cultur alt hardwar minut archiv desir estim ' +
  'orlean garbag serv lang strategi nullabl earlier famili dot union decod restart segment kv abil escap won ' +
  'diagnost prefer expo speech mx lazi expectobserv though coverag spaci phase press volum exactli panel cleanup ' +
  'wsl round nu returnvalu warp cfg ghe replic mobil payment addeventlisten consist defaultapisidebar arm anonym ' +
  'scan scipi tabitem referenc adapt stabl speed cost infrastructur impl player although rever health scalar ' +
  'foreach physic decim changef dotcom awar boundari sep nuget kubectl dep draw sudo launch webextapiref mut ' +
  'toggl ti preci becom radiu produc aren coordin compani expand sy uuid exec subset em regexp mou caller csp ' +
  'regress camera taskid easili vec webhook inherit everyth hand inspect tenant kernel arrow feedback pv game ' +
  'prepar startup past affect four annot anyth fmt noth touch';
