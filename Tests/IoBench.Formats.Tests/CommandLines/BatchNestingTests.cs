using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>Deep nesting must throw an error instead of overflowing the stack.</summary>
public class BatchNestingTests
{
    private static CommandLineTests ReadText(string text) => CommandLineReader.Read(new StringReader(text), "t.bat", null);

    [Fact]
    public void Deeply_nested_blocks_throw()
    {
        var open = string.Concat(Enumerable.Repeat("(\n", 2000));
        var error = Assert.Throws<IoBenchException>(() => ReadText($"{open}diskspd -d1 x.dat\n{open.Replace('(', ')')}"));
        Assert.Contains("nested too deep", error.Message);
        Assert.Single(ReadText("(\n(\ndiskspd -d1 x.dat\n)\n)").Specifications);
    }
}
