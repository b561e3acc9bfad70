using IoBench.Engine;

namespace IoBench.Application.Tests;

public class SpellingTests
{
    [Fact]
    public void Each_front_writes_an_option_its_own_way()
    {
        IoText text =
            $"{Opt.OutstandingIO.With(300)} is too much. Use {Opt.Buffering.With(IoBuffering.Software)}, {Opt.IdleSeconds} or {IoCommand.Remove} {{x}}.";
        Assert.Equal(
            "--outstanding-io 300 is too much. Use --buffering software, --idle or iobench remove {x}.",
            text.Render(ProgramSpelling.Default)
        );
        Assert.Equal(
            "-OutstandingIO 300 is too much. Use -Buffering Software, -IdleSeconds or Remove-IoTestFile {x}.",
            text.Render(ModuleSpelling.Default)
        );
        Assert.Equal("OutstandingIO 300 is too much. Use Buffering Software, IdleSeconds or IoBench Remove {x}.", text.ToString());
        Assert.Equal(["OutstandingIO", "Buffering", "IdleSeconds"], text.Options);
    }

    [Fact]
    public void The_program_names_an_option_as_it_was_typed()
    {
        IoText text = $"{Opt.OutstandingIO.With(300)}: 1 to 256";
        Assert.Equal("--qd 300: 1 to 256", text.Render(new ProgramSpelling(new Dictionary<string, string> { ["OutstandingIO"] = "--qd" })));
    }

    [Theory]
    [InlineData("a {b} {{c}} }{ {", "\r\n\t")]
    [InlineData("{BlockSize}", "{!Run}")]
    public void Values_are_never_taken_for_options(string path, string other)
    {
        IoText text = $"{path} and {other} with {Opt.Force}";
        Assert.Equal($"{path} and {SafeText.Escape(other)} with --force", text.Render(ProgramSpelling.Default));
        Assert.Equal(["Force"], text.Options);
        Assert.Equal(text.ToString(), IoText.FromTemplate(text.Template).ToString());
        IoText outer = $"file: {text}";
        Assert.Equal(["Force"], outer.Options);
    }

    [Fact]
    public void A_template_that_somebody_edited_is_shown_as_it_is() =>
        Assert.Equal("a {no option} } {  {!Nothing} Force", IoText.FromTemplate("a {no option} } {  {!Nothing} {Force}").ToString());

    [Fact]
    public void A_warning_of_a_result_keeps_its_code_and_each_front_s_words()
    {
        var result = new IoTestResult();
        result.AddWarning(new IoWarning(WarningCodes.StorageCache, $"the cache may answer; give {Opt.StorageCacheSize}."));
        result.Warnings.Add("a plain one");
        result.AddWarning(IoWarning.FromString("another {plain} one"));
        Assert.Equal(["the cache may answer; give StorageCacheSize.", "a plain one", "another {plain} one"], result.Warnings);
        Assert.Equal(
            ["the cache may answer; give --storage-cache-size.", "a plain one", "another {plain} one"],
            result.GetWarnings().Select(w => w.Text.Render(ProgramSpelling.Default))
        );
        Assert.True(result.HasWarning(WarningCodes.StorageCache));
        Assert.False(result.HasWarning(WarningCodes.QuickLook));
    }
}
