namespace IoBench.Formats;

/// <summary>
/// Searches ASCII words in any case. With the invariant culture, which the program uses, .NET's own search compares character by character,
/// and searching the first 64 KB of a file would take longer than reading the file.
/// </summary>
internal static class AsciiSearch
{
    /// <summary>Returns the first position of a word; negative if it is absent.</summary>
    /// <param name="word">ASCII characters.</param>
    /// <param name="rarest">Rarest character of the word, in the word's case. The word is compared only where this character
    /// occurs.</param>
    public static int IndexOfIgnoreCase(ReadOnlySpan<char> text, ReadOnlySpan<char> word, char rarest)
    {
        var (before, lower, upper) = (word.IndexOf(rarest), char.ToLowerInvariant(rarest), char.ToUpperInvariant(rarest));
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
