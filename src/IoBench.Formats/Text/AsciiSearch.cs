namespace IoBench.Formats;

/// <summary>With the invariant culture, .NET's own search compares character by character, which is too slow for 64 KB.</summary>
internal static class AsciiSearch
{
    /// <param name="rarest">Rarest character of the word, in the word's case. The word is compared only at this character.</param>
    public static int IndexOfIgnoreCase(ReadOnlySpan<char> text, ReadOnlySpan<char> word, char rarest)
    {
        var before = word.IndexOf(rarest);
        var lower = char.ToLowerInvariant(rarest);
        var upper = char.ToUpperInvariant(rarest);
        var last = text.Length - word.Length;
        for (var start = 0; start <= last; start++)
        {
            var at = text[(start + before)..(last + before + 1)].IndexOfAny(lower, upper);
            if (at < 0)
                return -1;
            start += at;
            if (text.Slice(start, word.Length).Equals(word, StringComparison.OrdinalIgnoreCase))
                return start;
        }
        return -1;
    }
}
