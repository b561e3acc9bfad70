using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class DiskSpd23CommandLineTests
{
    private static IoTestSpecification ParseLine(string line) => DiskSpdCommandLine.Parse(line.Split(' '), slashOptions: true);

    private static DiskSpd23Options ParseOptions(string line) =>
        DiskSpdCommandLine.ReadCall(line.Split(' '), null, true, isToRun: false).Specifications[0].GetOrAddOrigin().DiskSpd!.Version23!;

    [Theory]
    [InlineData("-u a.dat", 25, true, true)]
    [InlineData("-un a.dat", 25, true, false)]
    [InlineData("-u8 a.dat", 8, false, true)]
    [InlineData("-u50p a.dat", 50, true, true)]
    [InlineData("-un100p a.dat", 100, true, false)]
    [InlineData("-u8 -un a.dat", 8, false, false)]
    [InlineData("-un -u16 a.dat", 16, false, true)]
    public void IO_ring_options_are_parsed(string line, int batch, bool isPercent, bool registers)
    {
        var options = ParseOptions(line);
        Assert.Equal((batch, isPercent, registers), (options.IoRingBatch!.Value, options.IoRingBatchIsPercent, options.RegistersBuffers));
    }

    [Theory]
    [InlineData("-ac", true, false, DiskSpdCoreOrder.PFirst)]
    [InlineData("-acs", true, true, DiskSpdCoreOrder.PFirst)]
    [InlineData("-ac -asE", true, true, DiskSpdCoreOrder.FillEFirst)]
    [InlineData("-aP", false, false, DiskSpdCoreOrder.FillPFirst)]
    [InlineData("-ae", false, false, DiskSpdCoreOrder.EFirst)]
    [InlineData("-aup", false, false, DiskSpdCoreOrder.Unordered)]
    public void Processor_order_options_are_parsed(string option, bool coreAware, bool spans, DiskSpdCoreOrder order)
    {
        var options = ParseOptions(option + " a.dat");
        Assert.Equal((coreAware, spans, order), (options.IsCoreAware, options.SpansGroups, options.CoreOrder));
    }

    [Fact]
    public void Processor_ranges_and_groups_are_parsed()
    {
        Assert.Equal([0, 1, 2, 3, 6], ParseLine("-a0-3,6 a.dat").Processors);
        Assert.Equal([64, 65, 2], ParseLine("-ag1,0-1 -a2 a.dat").Processors);
        Assert.Equal(6UL, ParseOptions("-ag1 -ag2 a.dat").WholeGroups);
        Assert.Equal(Enumerable.Range(0, HostFacts.GetProcessorGroups()[0]), ParseLine("-ag0 a.dat").Processors);
        Assert.Contains(
            "processor group",
            Assert.Throws<IoBenchException>(() => ParseLine("-ag63 a.dat")).Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Options_of_DiskSpd_2_2_set_no_2_3_options()
    {
        Assert.Null(ParseLine("-b8K -a0,1 -o4 -Su a.dat").GetOrAddOrigin().DiskSpd!.Version23);
        Assert.Null(ParseLine("-ag a.dat").GetOrAddOrigin().DiskSpd!.Version23);
    }

    [Fact]
    public void Buffer_separation_completion_depth_and_bypass_are_parsed()
    {
        Assert.False(ParseOptions("-bsn a.dat").SeparatesBuffers);
        Assert.True(ParseOptions("-bsp -b8K a.dat").SeparatesBuffers);
        Assert.Equal(8192, ParseLine("-bsp -b8K a.dat").BlockSize);
        Assert.Equal((4, 2), (ParseOptions("-oc4 -o2 a.dat").CompletionDepth!.Value, ParseLine("-oc4 -o2 a.dat").OutstandingIO));
        Assert.Equal(
            (DiskSpdBypass.Partial, IoBuffering.Hardware),
            (ParseOptions("-Suy a.dat").BypassIO, ParseLine("-Syu a.dat").Buffering)
        );
        Assert.Equal(DiskSpdBypass.Full, ParseOptions("-ShY a.dat").BypassIO);
    }

    [Theory]
    [InlineData("-u0 a.dat", "-u0: use a batch of 1 to 65536")]
    [InlineData("-u101p a.dat", "-u101p: use a batch")]
    [InlineData("-u8x a.dat", "-u8x: use a batch")]
    [InlineData("-u65537 a.dat", "-u65537: use a batch")]
    [InlineData("-u -x a.dat", "-u) cannot be combined with completion routines (-x)")]
    [InlineData("-bs a.dat", "-bs: use -bsp")]
    [InlineData("-bsx a.dat", "-bsx: use -bsp")]
    [InlineData("-bsnn a.dat", "-bsnn: use -bsp")]
    [InlineData("-oc0 a.dat", "-oc0: use 1 to 16")]
    [InlineData("-oc17 a.dat", "-oc17: use 1 to 16")]
    [InlineData("-oc4 -x a.dat", "-oc cannot be combined with completion routines")]
    [InlineData("-Sy a.dat", "BypassIO (-Sy, -SY) requires unbuffered I/O (-Su)")]
    [InlineData("-Suy -w10 a.dat", "BypassIO (-Sy, -SY) is only for reads. Remove -w")]
    [InlineData("-Suyy a.dat", "-Sy and -SY cannot be combined or repeated.")]
    [InlineData("-SuY a.dat", "-SY: IoBench does not support BypassIO, and -SY requires it.")]
    [InlineData("-a3-1 a.dat", "ends before it begins")]
    [InlineData("-a64 a.dat", "0 to 63")]
    [InlineData("-a0-64 a.dat", "0 to 63")]
    [InlineData("-apP a.dat", "only once")]
    [InlineData("-ap -aup a.dat", "cannot be combined")]
    [InlineData("-aup -ae a.dat", "only once")]
    [InlineData("-au a.dat", "only p can follow -au")]
    [InlineData("-acx a.dat", "'x' is not one of c, s, p, P, e, and E")]
    [InlineData(
        "-ag0,0,g1 a.dat",
        "a CPU must follow the last group. To use a whole group, specify it in a separate option, such as -ag1."
    )]
    [InlineData("-n -ac a.dat", "-n and -a cannot be used together")]
    [InlineData("-Rs a.dat", "-Rs must be the only argument")]
    [InlineData("-Rsxml -v", "-Rs must be the only argument")]
    [InlineData("-Xp.xml -u8", "-u8 cannot be combined with a profile")]
    public void Invalid_DiskSpd_2_3_options_throw_with_one_line(string line, string part)
    {
        var error = Assert.Throws<IoBenchException>(() => ParseLine(line));
        Assert.Contains(part, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Fact]
    public void Options_that_run_differently_have_one_note_each()
    {
        var call = DiskSpdCommandLine.ParseCall("-u -bsn -oc2 -Suy -as a.dat".Split(' '));
        Assert.Equal(["-Sy:", "-u:", "-bsn:", "-oc:", "-a:"], call.Notes.Select(note => note[..(note.IndexOf(':') + 1)]));
        Assert.Empty(DiskSpdCommandLine.ParseCall("-bsp -aup a.dat".Split(' ')).Notes);
    }

    [Fact]
    public void Batch_file_with_DiskSpd_2_3_options_is_converted()
    {
        var tests = CommandLineReader.Read("diskspd -u8 -b8K -r a.dat\ndiskspd -SuY a.dat\ndiskspd -bsn -b4K a.dat\n");
        Assert.Equal([8192L, 4096L], tests.Specifications.Select(s => s.BlockSize));
        Assert.Contains("-SY", Assert.Single(tests.Refused).Message, StringComparison.Ordinal);
        Assert.Equal(2, tests.Notes.Count);
    }

    [Fact]
    public void DiskSpd_2_3_profile_is_read_with_notes()
    {
        var file = Path.GetTempFileName();
        try
        {
            File.WriteAllText(
                file,
                "<Profile><TimeSpans><TimeSpan><IoRing><IoRingBatchSize>8</IoRingBatchSize></IoRing><Targets><Target><Path>a.dat</Path></Target></Targets></TimeSpan></TimeSpans></Profile>"
            );
            var tests = CommandLineReader.ReadFile(file);
            Assert.StartsWith("-u:", Assert.Single(tests.Notes), StringComparison.Ordinal);
            // From a test of the DiskSpd release: without Percent, the value is a count.
            Assert.Equal(
                (8, false),
                (
                    tests.Specifications[0].GetOrAddOrigin().DiskSpd!.Version23!.IoRingBatch!.Value,
                    tests.Specifications[0].GetOrAddOrigin().DiskSpd!.Version23!.IoRingBatchIsPercent
                )
            );
            File.WriteAllText(
                file,
                "<Profile><TimeSpans><TimeSpan><AffinityTraversal>Core</AffinityTraversal><Targets><Target><Path>a.dat</Path></Target></Targets></TimeSpan></TimeSpans></Profile>"
            );
            Assert.Contains(
                "<AffinityTraversal>: 'Core' is not one of Cpu, CoreAware",
                Assert.Throws<IoBenchException>(() => CommandLineReader.ReadFile(file)).Message,
                StringComparison.Ordinal
            );
        }
        finally
        {
            File.Delete(file);
        }
    }
}
