namespace IoBench.Engine.Tests;

public class CryptoLibraryTests
{
    [Theory]
    [InlineData("libssl.so.3", null, true)]
    [InlineData("libssl.so.1.1", null, true)]
    [InlineData("libssl.so.7", null, false)]
    [InlineData("libssl.so.7", "7", true)]
    [InlineData("", null, false)]
    public void Library_is_available_if_a_name_that_DotNet_tries_is_installed(string installed, string? version, bool isThere) =>
        Assert.Equal(isThere, CryptoLibrary.CanLoad(version, name => name == installed));

    [Fact]
    public void Error_for_a_missing_library_says_what_to_install()
    {
        var error = CryptoLibrary.CreateMissingError();
        Assert.StartsWith("IoBench requires libssl", error.Message);
        Assert.Equal(2, error.ExitCode);
    }

    [Fact]
    public void Sha256_is_correct_and_random_bytes_differ()
    {
        Assert.Equal(
            "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
            Convert.ToHexString(CryptoLibrary.ComputeSha256("abc"u8))
        );
        Assert.NotEqual(CryptoLibrary.GetRandomBytes(16), CryptoLibrary.GetRandomBytes(16));
    }
}
