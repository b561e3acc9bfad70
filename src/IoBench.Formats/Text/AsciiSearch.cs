namespace IoBench.Formats.Text;

/// <summary>
/// Looks for words of ASCII whatever their case. With the invariant culture, which the program has, .NET's own search compares character by character: of a head of
/// 64 KB that took longer than all else of the reading.
/// </summary>
internal static class AsciiSearch
{
    /// <summary>Where a word stands first; negative when nowhere.</summary>
    /// <param name="text">What is gone through.</param>
    /// <param name="word">Of ASCII characters.</param>
    /// <param name="rarest">The rarest of the word's characters, as it is in the word: only where it stands is compared.</param>
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
