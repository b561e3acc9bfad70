namespace IoBench.Application;

/// <summary>Name pattern with PowerShell's wildcards, case-insensitive. A name that equals the pattern literally also matches.</summary>
public sealed class WildcardMatcher
{
    private readonly string _text;
    private readonly List<Func<char, bool>?> _parts = [];

    public WildcardMatcher(string text)
    {
        _text = text;
        for (var i = 0; i < text.Length; i++)
        {
            var end = text[i] == '[' ? text.IndexOf(']', i + 1) : -1;
            if (text[i] == '*')
                _parts.Add(null);
            else if (text[i] == '?')
                _parts.Add(_ => true);
            else if (end > i + 1)
            {
                _parts.Add(CreateCharacterClass(text[(i + 1)..end]));
                i = end;
            }
            else
            {
                if (text[i] == '`' && i + 1 < text.Length)
                    i++;
                var wanted = text[i];
                _parts.Add(c => EqualsIgnoreCase(c, wanted));
            }
        }
    }

    /// <param name="name">The name; null counts as empty.</param>
    public bool Matches(string? name)
    {
        name ??= "";
        if (name.Equals(_text, StringComparison.OrdinalIgnoreCase))
            return true;
        // Backtracking to the last star is enough, because the earlier stars already match as little as possible.
        var part = 0;
        var at = 0;
        var star = -1;
        var starAt = 0;
        while (at < name.Length)
        {
            if (part < _parts.Count && _parts[part] is { } fits && fits(name[at]))
            {
                part++;
                at++;
            }
            else if (part < _parts.Count && _parts[part] is null)
            {
                star = part;
                starAt = at;
                part++;
            }
            else if (star >= 0)
            {
                part = star + 1;
                at = starAt + 1;
                starAt++;
            }
            else
                return false;
        }
        return _parts.Skip(part).All(left => left is null);
    }

    public override string ToString() => _text;

    private static Func<char, bool> CreateCharacterClass(string members) =>
        c =>
        {
            for (var i = 0; i < members.Length; i++)
            {
                var isRange = i + 2 < members.Length && members[i + 1] == '-';
                if (
                    EqualsIgnoreCase(c, members[i])
                    || (
                        isRange
                        && IsInRange(char.ToLowerInvariant(c), char.ToLowerInvariant(members[i]), char.ToLowerInvariant(members[i + 2]))
                    )
                )
                    return true;
                i += isRange ? 2 : 0;
            }
            return false;
        };

    private static bool IsInRange(char c, char low, char high) => c >= low && c <= high;

    private static bool EqualsIgnoreCase(char one, char other) => char.ToUpperInvariant(one) == char.ToUpperInvariant(other);
}
