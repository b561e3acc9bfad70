using System.Text;

namespace IoBench.Tests;

/// <summary>Creates the same mutated input from the same seed.</summary>
/// <param name="wholeInOf">One of this number of inputs is a whole file; the others are parts of up to 1,500 bytes.</param>
internal sealed class InputMutator(int seed, int wholeInOf)
{
    private static readonly string[] s_pieces =
    [
        "sqlio v1.5.SG\n",
        "999999999999999999999999999",
        "-1",
        "1e999",
        "0x",
        "%:",
        "ms:",
        "\0\0\0",
        "\r",
        "\uFEFF",
        "IOs/sec: ",
        "histogram:\n",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        "'",
        ",",
        ";",
        "files A, B and C",
        "thread ",
        "ProcessorNumber: ALL 0 1 2\n",
        "D:\\>sqlio -kR -F",
        "D:\\>",
        "Waiting for 60 seconds",
        "18446744073709551616",
        "|||||||||||||||||||||||||||||||||||||||",
        "%",
        "(",
        ")",
        "NaN",
        "1e309",
        "\uFFFF",
        "\ttimespan: 999999999999\n",
        "Results for timespan 2147483648:\n",
        "Results for timespan 1:\n",
        "Total IO\n",
        "Read IO\n",
        "thread |       bytes     |     I/Os\n",
        "total:\n",
        "path: '",
        "  %-ile |  Read (ms) | Write (ms) | Total (ms)\n",
        "Command Line: diskspd.exe -r -rdabs90/1K:5/9999999999999T a.dat\n",
        "CPU |  Usage |  User  | Kernel |  Idle\n",
        "Input parameters:\n",
        "System information:\n",
        "<TimeSpan>",
        "</TimeSpan>",
        "<Thread>",
        "</Thread>",
        "<Target>",
        "</Results>",
        "<Results>",
        "<Profile>",
        "<Bucket",
        "<![CDATA[",
        "<!--",
        "<!DOCTYPE x [<!ENTITY y 'z'>]>",
        "&y;",
        "&#x110000;",
        "&amp",
        "<x y='",
        "<Range IO=\"90\">10</Range>",
        "for %%i in (1 2 3) do (\n",
        "for /L %%i in (1,1,2000000000) do diskspd -d%%i a.dat\n",
        "set A=%A%%A%%A%\n",
        "set /a A=A*A+1\n",
        ":one\n",
        "goto one\n",
        "call :one\n",
        "if exist x (\n",
        ") else (\n",
        "^\n",
        " > ",
        " | ",
        " & ",
        "!A!",
        "%~dp0",
        "%1",
        "timeout /t 99999999999\n",
        "-Xnone.xml ",
        "-Z1M,",
        "-B1G:99999999T ",
        "/",
        "{\n  \"fio version\" : \"fio-3.33\",\n",
        "\"jobs\" : [",
        "\"bins\" : {",
        "\"percentile\" : {\"99.0\" : 5}",
        "\"total_ios\" : 9223372036854775807,",
        "\"read\" : {",
        "nan",
        "\"numjobs\" : \"1000000\",",
        "x: (groupid=0, jobs=1): err= 0: pid=1: x\n",
        "  read: IOPS=1k, BW=1MiB/s (1MB/s)(1MiB/1msec)\n",
        "x: (g=0): rw=randrw, bs=(R) 8192B-8192B, ioengine=x, iodepth=9\n",
        "3;fio-3.33;x;0;0;",
        "fio: terminating on signal 2\n",
        "[global]\n",
        "[job]\n",
        "rw=randrw:8\n",
        "bssplit=4k/60:64k/40\n",
        "numjobs=256\n",
        "filename=a:b\\:c\n",
        "stonewall\n",
        "--name=x ",
        "size=99999999999t\n",
        "random_distribution=zoned:50/10:50/90\n",
        "${HOME}",
        "cpus_allowed=0-4095\n",
        "runtime=99999999999d\n",
        "CrystalDiskMark 8.0.1 x64 (C) 2007-2021 hiyohiyo\n",
        "[Mix] Read 70%/Write 30%\n",
        "  RND    4KiB (Q= 32, T= 1):   1.5 MB/s [ 9.9 IOPS] < 9.0 us>\n",
        "Test: 1 GiB (x5)\n",
        "\t",
        "using ",
        "file ",
        "size of file ",
        "buffering set to ",
        "2,681",
        "…",
        "\u00A0",
        "\u2028",
        "\"specification\": null",
        "#TYPE x\n",
        "> ",
        ">> ",
        "\\_",
        "Error setting end of file (error code: 112)\n",
        "error during overlapped IO operation (error code: ",
        "                        KDiskMark (3.1.4): https://github.com/JonMagon/KDiskMark\n",
        "[Mix. Read 70%/Write 30%]\n",
        "database_id,file_id,sample_ms,num_of_reads,",
        "(4 rows affected)\n",
        "1.638.400",
        "1.024",
        "-----------",
        "ansible_host=",
        "[a:children]\n",
        "sql[001:99999]\n",
        "  hosts:\n",
        "&anchor ",
        "*anchor",
        "<<: ",
        "!!binary ",
        "\"rules\":[{",
    ];

    private readonly Random _random = new(seed);
    private bool _isShort;

    public byte[] Mutate(List<byte[]> inputs, List<byte[]> others)
    {
        _isShort = _random.Next(wholeInOf) != 0;
        var bytes = new List<byte>(GetPart(inputs[_random.Next(inputs.Count)]));
        for (var i = _random.Next(1, 6); i > 0; i--)
            ApplyStep(bytes, others);
        return bytes.ToArray();
    }

    /// <summary>
    /// Returns a part from the start of a line for most inputs, so that many can be tried, and the whole input for the others.
    /// </summary>
    private byte[] GetPart(byte[] input)
    {
        if (!_isShort)
            return input;
        var start =
            _random.Next(3) == 0 ? 0
            : input.AsSpan(_random.Next(input.Length)).IndexOf((byte)'\n') is >= 0 and var found ? found + 1
            : 0;
        return input[start..Math.Min(input.Length, start + _random.Next(100, 1500))];
    }

    private void ApplyStep(List<byte> bytes, List<byte[]> inputs)
    {
        var at = bytes.Count == 0 ? 0 : _random.Next(bytes.Count);
        switch (_random.Next(9))
        {
            case 0:
                bytes.RemoveRange(at, bytes.Count - at);
                break;
            case 1:
                bytes.RemoveRange(at, Math.Min(_random.Next(200), bytes.Count - at));
                break;
            case 2 when bytes.Count > 0:
                bytes[at] ^= (byte)(1 << _random.Next(8));
                break;
            case 3 when bytes.Count > 0:
                bytes[at] = (byte)_random.Next(256);
                break;
            case 4:
                bytes.InsertRange(at, Encoding.UTF8.GetBytes(s_pieces[_random.Next(s_pieces.Length)]));
                break;
            case 5:
                InsertPart(bytes, at, inputs[_random.Next(inputs.Count)]);
                break;
            case 6:
                bytes.InsertRange(
                    at,
                    Enumerable.Repeat(
                        (byte)"0123456789 x[{\"\n\0,"[_random.Next(18)],
                        1 << _random.Next(_random.Next(_isShort ? 400 : 40) == 0 ? 19 : 11)
                    )
                );
                break;
            // One element many times: deep XML, endless rows.
            case 7 when _random.Next(4) == 0:
                var piece = Encoding.UTF8.GetBytes(s_pieces[_random.Next(s_pieces.Length)]);
                for (var n = _random.Next(1, _isShort ? 100 : 300); n > 0; n--)
                    bytes.InsertRange(at, piece);
                break;
            case 7:
                bytes.InsertRange(at, bytes.GetRange(at, Math.Min(_random.Next(_isShort ? 500 : 2000), bytes.Count - at)));
                break;
            default:
                bytes.InsertRange(at, Enumerable.Repeat((byte)0, _random.Next(1, 40)));
                break;
        }
    }

    private void InsertPart(List<byte> bytes, int at, byte[] other)
    {
        var start = _random.Next(other.Length);
        bytes.InsertRange(at, other.AsSpan(start, Math.Min(_random.Next(_isShort ? 500 : 3000), other.Length - start)).ToArray());
    }
}
