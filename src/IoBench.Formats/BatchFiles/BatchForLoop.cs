using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace IoBench.Formats;

internal sealed class BatchForLoop(string? folder)
{
    private const int MaxRounds = 10_000;

    internal string Problem { get; private set; } = "";

    internal IEnumerable<string[]>? GetIterations(Match loop)
    {
        var list = loop.Groups["list"].Value.Trim();
        if (BatchPlaceholder.FindFirstName(list) is { } name)
            return SetProblem($"the value of {name} is not known: set it in the file");
        switch (loop.Groups["kind"].Value.Trim().ToUpperInvariant())
        {
            case "":
                return GetListIterations(list);
            case "/L":
                return GetCountIterations(list);
            case "/F":
                return GetLineIterations(loop.Groups["options"].Value, list);
            default:
                return SetProblem(
                    "this kind of 'for' is not understood: lists (for %%i in (8 64) do …), counts (for /L) and lines of a file (for /F) are"
                );
        }
    }

    private IEnumerable<string[]>? SetProblem(string problem)
    {
        Problem = problem;
        return null;
    }

    private IEnumerable<string[]>? GetListIterations(string list)
    {
        var values = new List<string[]>();
        foreach (var word in SplitList(list))
        {
            if (!word.AsSpan().ContainsAny('*', '?'))
                values.Add([word]);
            else if (BatchFileLookup.FindMatches(folder, word.Trim('"')) is { } files)
                values.AddRange(files.Select(f => (string[])[f]));
            else
                return SetProblem($"the files {word} are not here");
        }
        return values;
    }

    private static IEnumerable<string> SplitList(string list)
    {
        var word = new StringBuilder();
        var quoted = false;
        foreach (var c in list)
        {
            if (c == '"')
                quoted = !quoted;
            if (quoted || !(c is ' ' or '\t' or ',' or ';' or '='))
            {
                word.Append(c);
                continue;
            }
            if (word.Length > 0)
                yield return word.ToString();
            word.Clear();
        }
        if (word.Length > 0)
            yield return word.ToString();
    }

    private IEnumerable<string[]>? GetCountIterations(string list)
    {
        var parts = list.Split([',', ' '], StringSplitOptions.RemoveEmptyEntries);
        if (
            parts.Length != 3
            || !BatchPlaceholder.TryParseNumber(parts[0], out var from)
            || !BatchPlaceholder.TryParseNumber(parts[1], out var step)
            || !BatchPlaceholder.TryParseNumber(parts[2], out var to)
            || step == 0
        )
            return SetProblem("for /L needs three numbers, (start,step,end), the step not 0");
        if (Math.Abs((to - from) / step) > MaxRounds)
            return SetProblem("the loop runs more often than makes sense for tests");
        return EnumerateCount(from, step, to);
    }

    private static IEnumerable<string[]> EnumerateCount(long from, long step, long to)
    {
        for (var i = from; step > 0 ? i <= to : i >= to; i += step)
            yield return [i.ToString(CultureInfo.InvariantCulture)];
    }

    private IEnumerable<string[]>? GetLineIterations(string options, string source)
    {
        var format = TokenFormat.Parse(options.Trim().Trim('"'));
        if (format is null)
            return SetProblem($"the options {options.Trim()} of for /F are not understood");
        var isCommand = source.StartsWith(format.UseBackQuotes ? '`' : '\'');
        var isText = source.StartsWith(format.UseBackQuotes ? '\'' : '"') && source.Length > 1;
        if (isCommand)
            return SetProblem("what another command prints (for /F) is not known");
        if (isText)
            return format.GetIterations([source[1..^1]]);
        return BatchFileLookup.ReadLines(folder, source.Trim('"')) is { } lines
            ? format.GetIterations(lines.Take(MaxRounds))
            : SetProblem($"the file {source} of for /F cannot be read here");
    }

    private sealed class TokenFormat
    {
        private readonly List<int> _tokens = [];
        private string _delimiters = " \t";
        private bool _hasRest;
        private char _comment = ';';
        private int _skip;

        internal bool UseBackQuotes { get; private set; }

        internal static TokenFormat? Parse(string options)
        {
            var format = new TokenFormat();
            // Not TrimEnd: a space at the end is a delimiter.
            var rest = options.AsSpan().TrimStart();
            while (!rest.IsEmpty)
            {
                var end = rest.IndexOf(' ');
                if (
                    rest.StartsWith("delims=", StringComparison.OrdinalIgnoreCase)
                    && (end < 0 || rest[end..].IndexOf('=') < 0 && !rest.EndsWith("usebackq", StringComparison.OrdinalIgnoreCase))
                )
                    end = rest.Length;
                var word = end < 0 ? rest : rest[..end];
                rest = end < 0 ? default : rest[Math.Min(end, rest.Length)..].TrimStart();
                if (!format.TryParseOption(word))
                    return null;
            }
            if (format._tokens.Count == 0 && !format._hasRest)
                format._tokens.Add(1);
            return format;
        }

        private bool TryParseOption(ReadOnlySpan<char> word)
        {
            var equals = word.IndexOf('=');
            var value = equals < 0 ? default : word[(equals + 1)..];
            switch (equals < 0 ? word.ToString().ToUpperInvariant() : word[..equals].ToString().ToUpperInvariant())
            {
                case "USEBACKQ":
                    UseBackQuotes = true;
                    return true;
                case "DELIMS":
                    _delimiters = value.ToString();
                    return true;
                case "EOL":
                    _comment = value.IsEmpty ? '\0' : value[0];
                    return true;
                case "SKIP":
                    return int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out _skip);
                case "TOKENS":
                    return TryParseTokens(value);
                default:
                    return false;
            }
        }

        private bool TryParseTokens(ReadOnlySpan<char> list)
        {
            if (list is [.., '*'])
            {
                _hasRest = true;
                list = list[..^1];
            }
            foreach (var item in list.ToString().Split(',', StringSplitOptions.RemoveEmptyEntries))
            {
                var dash = item.IndexOf('-', StringComparison.Ordinal);
                if (
                    !int.TryParse(dash < 0 ? item : item[..dash], NumberStyles.None, CultureInfo.InvariantCulture, out var first)
                    || !int.TryParse(dash < 0 ? item : item[(dash + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out var last)
                    || first < 1
                    || last > 31
                )
                    return false;
                for (var i = first; i <= last; i++)
                    _tokens.Add(i);
            }
            return _tokens.Count <= 26;
        }

        internal IEnumerable<string[]> GetIterations(IEnumerable<string> lines)
        {
            foreach (var line in lines.Skip(_skip))
                if (line.Length > 0 && line[0] != _comment && SplitLine(line) is { } tokens)
                    yield return tokens;
        }

        private string[]? SplitLine(string line)
        {
            var last = _tokens.Count == 0 ? 0 : _tokens.Max();
            var found = new List<string>();
            var rest = line.AsSpan().TrimStart(_delimiters);
            while (!rest.IsEmpty && found.Count < last)
            {
                var end = rest.IndexOfAny(_delimiters);
                found.Add((end < 0 ? rest : rest[..end]).ToString());
                rest = end < 0 ? default : rest[end..].TrimStart(_delimiters);
            }
            if (found.Count == 0 && rest.IsEmpty)
                return null;
            var tokens = _tokens.ConvertAll(t => t <= found.Count ? found[t - 1] : "");
            if (_hasRest)
                tokens.Add(rest.ToString());
            return [.. tokens];
        }
    }
}
