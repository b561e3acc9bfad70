namespace IoBench.Formats.Tests;

public class AsciiSearchTests
{
    [Theory]
    [InlineData("sqlio v", 'q')]
    [InlineData("_Latency", '_')]
    [InlineData("ProcessorNumber:", 'P')]
    [InlineData("aab", 'b')]
    [InlineData("aab", 'a')]
    public void IndexOfIgnoreCase_finds_the_same_as_dotnet(string word, char rarest)
    {
        var random = new Random(word.Length);
        var letters = word + word.ToUpperInvariant() + " x\n";
        for (var i = 0; i < 20_000; i++)
        {
            var text = string.Concat(Enumerable.Range(0, random.Next(30)).Select(_ => letters[random.Next(letters.Length)]));
            if (random.Next(2) == 0)
                text = text.Insert(random.Next(text.Length + 1), random.Next(2) == 0 ? word : word.ToUpperInvariant());
            Assert.Equal(text.IndexOf(word, StringComparison.OrdinalIgnoreCase), TextInput.IndexOfIgnoreCase(text, word, rarest));
        }
    }

    [Fact]
    public void IndexOfIgnoreCase_finds_nothing_in_a_shorter_text()
    {
        Assert.Equal(-1, TextInput.IndexOfIgnoreCase("", "sqlio v", 'q'));
        Assert.Equal(-1, TextInput.IndexOfIgnoreCase("sqlio ", "sqlio v", 'q'));
    }
}
