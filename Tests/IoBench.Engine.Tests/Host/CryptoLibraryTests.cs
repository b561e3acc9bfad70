namespace IoBench.Engine.Tests;

public class CryptoLibraryTests
{
    [Theory]
    [InlineData("libssl.so.3", null, true)]
    [InlineData("libssl.so.1.1", null, true)]
    [InlineData("libssl.so.7", null, false)]
    [InlineData("libssl.so.7", "7", true)]
    [InlineData("", null, false)]
    public void It_is_there_when_one_of_the_names_that_DotNet_tries_is(string installed, string? version, bool isThere) =>
        Assert.Equal(isThere, CryptoLibrary.IsThere(version, name => name == installed));

    [Fact]
    public void Where_it_is_missing_one_sentence_says_what_to_install()
    {
        var error = CryptoLibrary.Missing();
        Assert.StartsWith("libssl is not installed", error.Message);
        Assert.Equal(2, error.ExitCode);
    }

    [Fact]
    public void What_it_makes_is_what_DotNet_makes()
    {
        Assert.Equal(
            "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
            Convert.ToHexString(CryptoLibrary.Sha256("abc"u8))
        );
        Assert.NotEqual(CryptoLibrary.RandomBytes(16), CryptoLibrary.RandomBytes(16));
    }
}
