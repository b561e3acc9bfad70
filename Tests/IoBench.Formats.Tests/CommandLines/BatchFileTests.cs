using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Tests.CommandLines;

/// <summary>Command lines of both tools and batch files of them.</summary>
public sealed class BatchFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static CommandLineTests Read(string text) => CommandLineReader.Read(new StringReader(text), "t.bat", null);

    private static IoBenchException Fails(string text) => Assert.Throws<IoBenchException>(() => Read(text));

    [Fact]
    public void A_batch_file_of_both_tools()
    {
        File.WriteAllText(Path.Combine(_folder, "paramMT.txt"), "c:\\testfile.dat 2 0x0 100\r\n");
        var file = Path.Combine(_folder, "all.cmd");
        File.WriteAllText(file, """
            @echo off
            setlocal
            rem the old tests
            :: and some more
            set EXE="C:\Program Files\DiskSpd\diskspd.exe"
            set "OUT=results"
            set SECS=15
            echo starting %DATE% ...
            sqlio -kR -s%SECS% -frandom -o8 -b8 -LS -FparamMT.txt > %OUT%\Reads8K.txt
            timeout /T 60 /nobreak >nul
            ping -n 31 localhost > nul
            %EXE% -d%SECS% -o32 -t4 ^
              -b64K -h -si -L -w0 ^
              "D:\TEST DIR\iotest.dat" >> "%OUT%\all results.txt" 2>&1
            call diskspd -d1 E:\x.dat & timeout 5 & start "run" /wait diskspd.exe -d2 F:\y.dat
            copy %OUT%\*.txt \\server\share
            pause
            exit /b 0
            """.Replace("\n", "\r\n"));
        var tests = CommandLineReader.ReadFile(file);
        Assert.Equal([9, 12, 15, 15], tests.Specifications.Select(s => s.SourceLine!.Value));
        var (sqlio, diskspd, third, fourth) = (tests.Specifications[0], tests.Specifications[1], tests.Specifications[2], tests.Specifications[3]);
        Assert.Equal((@"results\Reads8K.txt", 15.0, @"c:\testfile.dat"), (sqlio.OutputFile, sqlio.Duration.TotalSeconds, sqlio.Targets[0].Path));
        Assert.Equal((TimeSpan.FromSeconds(90), @"results\all results.txt", @"D:\TEST DIR\iotest.dat"), (diskspd.RestBefore, diskspd.OutputFile, diskspd.Targets[0].Path));
        Assert.Equal((IoAccessPattern.Interlocked, 32, 4), (diskspd.AccessPattern, diskspd.OutstandingIO, diskspd.ThreadCount));
        Assert.Equal((TimeSpan.Zero, @"E:\x.dat", TimeSpan.FromSeconds(5), @"F:\y.dat"), (third.RestBefore, third.Targets[0].Path, fourth.RestBefore, fourth.Targets[0].Path));
        Assert.Equal(file, sqlio.SourceFile);
        Assert.Contains("line 16: 'copy", Assert.Single(tests.Notes));
    }

    [Fact]
    public void Loops_run_through()
    {
        var tests = Read("""
            set F=T:\a.dat
            for %%b in (8 64) do diskspd -b%%bK %F%
            for /L %%o in (1,4,9) do (
              for %%t in (2,4) do (
                diskspd -o%%o -t%%t -si %F% > o%%o_t%%~t.txt
                timeout /t 3
              )
            )
            """);
        Assert.Equal([8192L, 65536L], tests.Specifications.Take(2).Select(s => s.BlockSize));
        Assert.Equal([(1, 2), (1, 4), (5, 2), (5, 4), (9, 2), (9, 4)], tests.Specifications.Skip(2).Select(s => (s.OutstandingIO, s.ThreadCount)));
        Assert.Equal("o5_t4.txt", tests.Specifications[5].OutputFile);
        Assert.Equal(TimeSpan.FromSeconds(3), tests.Specifications[3].RestBefore);
        Assert.Equal(5, tests.Specifications[^1].SourceLine);
        Assert.Empty(tests.Notes);
    }

    [Theory]
    [InlineData("timeout /T 60 /nobreak", 60)]
    [InlineData("TIMEOUT 5", 5)]
    [InlineData("timeout /T:7", 7)]
    [InlineData("ping 127.0.0.1 -n 11 >nul", 10)]
    [InlineData("ping 1.1.1.1 -n 1 -w 3000 >nul", 3)]
    [InlineData("choice /C yn /T 30 /D y", 30)]
    [InlineData("sleep 12", 12)]
    [InlineData("powershell -Command Start-Sleep -s 8", 8)]
    [InlineData("powershell \"Start-Sleep\" -Seconds 9", 9)]
    public void Waits_are_rests(string wait, int seconds) =>
        Assert.Equal(seconds, Read(wait + "\ndiskspd -d1 a.dat").Specifications[0].RestBefore.TotalSeconds);

    [Fact]
    public void Lines_of_the_documents_are_read_in_order()
    {
        var tests = CommandLineReader.Read(File.ReadAllText(Samples.Path("documents", "diskspd-commands.txt")));
        Assert.Equal(8, tests.Specifications.Count);
        var param = File.ReadAllText(Samples.Path("documents", "paramMT.txt"));
        File.WriteAllText(Path.Combine(_folder, "paramMT.txt"), param);
        File.WriteAllText(Path.Combine(_folder, "paramST.txt"), param);
        File.Copy(Samples.Path("documents", "sqlio-commands.txt"), Path.Combine(_folder, "c.txt"));
        tests = CommandLineReader.ReadFile(Path.Combine(_folder, "c.txt"));
        Assert.Equal(12, tests.Specifications.Count);
        Assert.All(tests.Specifications, s => Assert.Equal((7200.0, @"O:\SQLIOMP\Disk1\testfile.dat"), (s.Duration.TotalSeconds, s.Targets[0].Path)));
        Assert.Equal("Reads8KRandom8Oustanding.txt", tests.Specifications[0].OutputFile);
    }

    [Theory]
    [InlineData("diskspd -d1 a.dat\ndiskspd -Q a.dat", "t.bat line 2: diskspd: '-Q' is no option")]
    [InlineData("\ndiskspd -d%1 a.dat", "t.bat line 2: the value of %1 is not known")]
    [InlineData("diskspd -d%UNKNOWN_THING_X% a.dat", "the value of %UNKNOWN_THING_X% is not known")]
    [InlineData("if exist x.dat diskspd -d1 a.dat", "conditions and jumps")]
    [InlineData("if exist x.dat (\n diskspd -d1 a.dat\n)", "conditions and jumps")]
    [InlineData(":a\ndiskspd -d1 a.dat\ngoto a", "conditions and jumps")]
    [InlineData("diskspd -d1 a.dat | find \"IO\"", "another program (|)")]
    [InlineData("start diskspd -d1 a.dat", "start /wait")]
    [InlineData("start /b diskspd -d1 a.dat", "start /wait")]
    [InlineData("psexec \\\\srv diskspd -d1 a.dat", "is not understood")]
    [InlineData("for /F %%i in (list.txt) do diskspd -d1 %%i", "this kind of 'for'")]
    [InlineData("for %%i in (*.dat) do diskspd -d1 %%i", "this kind of 'for'")]
    [InlineData("for %%i in (a b) do (\ndiskspd -d1 %%i", "never closed")]
    [InlineData("set /a N=1+2\ndiskspd -d1 a.dat", "calculations are not understood")]
    [InlineData("set /p N=How long?\ndiskspd -d1 a.dat", "asks for a value")]
    [InlineData("diskspd -?", "asks for help")]
    [InlineData("diskspd -ePROCESS a.dat", "event tracing")]
    public void What_cannot_be_understood_is_an_error_with_its_line(string text, string part)
    {
        var error = Fails(text);
        Assert.Contains(part, error.Message);
        Assert.Contains("t.bat line ", error.Message);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Fact]
    public void Conditions_without_a_test_are_noted()
    {
        var tests = Read("if not exist d:\\x mkdir d:\\x\nmkdir results\ndiskspd -d1 -W3s a.dat\n");
        Assert.Single(tests.Specifications);
        Assert.Equal(3, tests.Notes.Count);
        Assert.Equal("t.bat line 3: -W3s counts as 3, as DiskSpd reads it.", tests.Notes[2]);
    }

    [Fact]
    public void A_file_without_tests_says_so()
    {
        var file = Path.Combine(_folder, "x.bat");
        File.WriteAllText(file, "echo hello\r\n");
        Assert.Equal("IoBench.NoCommandLines", Assert.Throws<IoBenchException>(() => CommandLineReader.ReadFile(file)).ErrorId);
    }

    [Fact]
    public void Percent_signs_of_one_line_and_of_a_file()
    {
        Assert.Equal("100%.dat", Read("diskspd -d1 100%%.dat").Specifications[0].Targets[0].Path);
        Assert.Equal("b.dat", Read("setlocal enabledelayedexpansion\nset A=b\ndiskspd -d1 !A!.dat").Specifications[0].Targets[0].Path);
    }
}
