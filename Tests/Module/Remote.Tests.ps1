# What runs on the hosts of Invoke-IoTest -Session, run here. The way there is in Session.Tests.ps1.
BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')

    function Get-Message {
        # What a host says, without signs of life and progress.
        param([IoBench.PowerShell.RemoteMessageEnumerator] $Work)

        $all = while ($Work.MoveNext()) { $Work.Current }
        @($all).Where({ $_ -is [IoBench.Engine.IoTestResult] -or $_.Kind -notin 'Alive', 'Progress', 'Verbose' })
    }
}

Describe 'The part of -Session that runs on a host' {
    BeforeEach {
        $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive ([guid]::NewGuid()))).FullName
        $plan = foreach ($name in 'a.dat', 'theirs.dat') { New-IoTestSpecification (Join-Path $folder $name) -FileSize 4MB -Duration 0.2 -WarmUp 0 -WritePercent 100 }
        $text = [System.Management.Automation.PSSerializer]::Serialize($plan, 9)
        [System.IO.File]::WriteAllBytes((Join-Path $folder 'theirs.dat'), [byte[]]::new(4MB))
        $null = $text

        function New-Call {
            param([hashtable] $Permissions = @{})
            [IoBench.PowerShell.RemoteSuite]::Begin([guid]::NewGuid(), $text, @(0, 1), $Permissions, $false)
        }
    }

    It 'makes the files of its own tests, says which may run, runs them, and removes what is IoBench''s' {
        $call = New-Call
        $said = Get-Message $call.Prepare()
        $said.Where({ $_.Kind -eq 'Ready' }).Number | Should -Be 0
        $said.Where({ $_.Kind -eq 'Error' }).ErrorId | Should -Be 'IoBench.ForeignFile'
        (Get-Item (Join-Path $folder 'a.dat')).Length | Should -Be 4MB
        (Get-Message $call.Run(0, 0, [double[]]@())).Status | Should -Be 'Complete'
        # A file that was refused is no test file: nothing more is said of it.
        Get-Message $call.End($true) | Should -BeNullOrEmpty
        (Get-ChildItem $folder).Name | Should -Be 'theirs.dat'
    }

    It 'reports a test that is refused as an error' {
        $call = New-Call
        $null = Get-Message $call.Prepare()
        (Get-Message $call.Run(1, 0, [double[]]@())).ErrorId | Should -Be 'IoBench.ForeignFile'
        $null = Get-Message $call.End($false)
    }

    It 'remembers over the call what was handed over: another file in its place is not used' {
        $call = New-Call -Permissions @{ OverwriteFiles = 'theirs.dat' }
        (Get-Message $call.Prepare()).Number | Should -Be 0, 1
        (Get-Message $call.Run(1, 0, [double[]]@())).Status | Should -Be 'Complete'
        # A file of others comes to the path of the one that the user gave away.
        Remove-Item (Join-Path $folder 'theirs.dat')
        [System.IO.File]::WriteAllBytes((Join-Path $folder 'other'), [byte[]]::new(4MB))
        Move-Item (Join-Path $folder 'other') (Join-Path $folder 'theirs.dat')
        (Get-Message $call.Run(1, 0, [double[]]@())).ErrorId | Should -Be 'IoBench.TargetReplaced'
        [System.Linq.Enumerable]::SequenceEqual[byte]([System.IO.File]::ReadAllBytes((Join-Path $folder 'theirs.dat')), [byte[]]::new(4MB)) | Should -BeTrue
        $null = Get-Message $call.End($false)
    }

    It 'ends a test when nobody listens any more, and shows throughput in the units of the call' {
        $long = New-IoTestSpecification (Join-Path $folder 'a.dat') -FileSize 4MB -Duration 10m -WarmUp 0
        $call = [IoBench.PowerShell.RemoteSuite]::Begin('long', [System.Management.Automation.PSSerializer]::Serialize(@($long), 9), @(0), @{}, $false, 'Si')
        $null = Get-Message $call.Prepare()
        $messages = $call.Run(0, 0, [double[]]@())
        while ($messages.MoveNext() -and $messages.Current.Text -notmatch 'IOPS') { $null = $messages.Current }
        $messages.Current.Text | Should -Match '^1/1 .* IOPS   [\d,]+ MB/s'
        $watch = [System.Diagnostics.Stopwatch]::StartNew()
        $messages.Dispose()
        $watch.Elapsed.TotalSeconds | Should -BeLessThan 60
        $null = Get-Message $call.End($true)
        Join-Path $folder 'a.dat' | Should -Not -Exist
    }

    It 'goes as one archive whose key changes with any file' {
        $archive = [IoBench.PowerShell.ModuleArchive]::Create()
        $archive.Key | Should -Match '^0\.1\.0-[0-9a-f]{16}$'
        $zip = [System.IO.Compression.ZipArchive]::new([System.IO.MemoryStream]::new($archive.Bytes))
        $names = $zip.Entries.FullName
        $zip.Dispose()
        foreach ($name in 'IoBench.psd1', 'IoBench.psm1', 'IoBench.Types.ps1xml', 'IoBench.Format.ps1xml', 'Private/IoBench.PowerShell.psd1', 'Private/IoBench.ImportAdvice.ps1', 'Private/IoBench.WindowsPowerShell.ps1', 'lib/IoBench.Engine.dll', 'lib/IoBench.PowerShell.dll') { $names | Should -Contain $name }
        [IoBench.PowerShell.ModuleArchive]::Create().Key | Should -Be $archive.Key
    }
}
