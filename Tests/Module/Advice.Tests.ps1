# Advice names what there is: each parameter that a warning or an error of a cmdlet names is one of that cmdlet, or of the cmdlet that is named before it.
BeforeDiscovery {
    $cases = @(
        @{ Command = 'Find-IoCap'; Name = 'a small file'; Call = { Find-IoCap (Join-Path $folder 'new.dat') -FileSize 2MB -Duration 0.1 -WarmUp 0 -BlockSize 8KB, 64KB -OutstandingIO 4, 16 }; Says = 'might fit into a cache' }
        @{ Command = 'Find-IoCap'; Name = 'a SQL Server file'; Call = { Find-IoCap $mdf }; Says = 'SQL Server file' }
        @{ Command = 'Find-IoCap'; Name = 'a size that is too large'; Call = { Find-IoCap (Join-Path $folder 'large.dat') -FileSize $tooLarge }; Says = 'must remain free|needs' }
        @{ Command = 'Watch-IoFailover'; Name = 'a file of others'; Call = { Watch-IoFailover $theirs -Duration 1s -FileSize 1MB }; Says = 'did not create|was not created by IoBench' }
        @{ Command = 'Watch-IoFailover'; Name = 'a SQL Server file'; Call = { Watch-IoFailover $mdf -WritePercent 0 }; Says = 'SQL Server file' }
        @{ Command = 'Watch-IoFailover'; Name = 'a size that is too large'; Call = { Watch-IoFailover (Join-Path $folder 'large.dat') -FileSize $tooLarge }; Says = 'must remain free|needs' }
        @{ Command = 'Find-IoLatency'; Name = 'a SQL Server file'; Call = { Find-IoLatency $mdf }; Says = 'SQL Server file' }
        @{ Command = 'Measure-IoCommit'; Name = 'a SQL Server file'; Call = { Measure-IoCommit $mdf }; Says = 'SQL Server file' }
        @{ Command = 'Measure-IoCommit'; Name = 'a size that is too large'; Call = { Measure-IoCommit (Join-Path $folder 'large.dat') -FileSize $tooLarge }; Says = 'must remain free|needs' }
        @{ Command = 'Measure-IoLimit'; Name = 'a file of others'; Call = { Measure-IoLimit $theirs 5 -WritePercent 100 }; Says = 'did not create|was not created by IoBench' }
        @{ Command = 'Measure-IoLimit'; Name = 'a size that is too large'; Call = { Measure-IoLimit (Join-Path $folder 'large.dat') 5 -FileSize $tooLarge }; Says = 'must remain free|needs' }
        @{ Command = 'Test-IoIntegrity'; Name = 'a file of others'; Call = { Test-IoIntegrity $theirs }; Says = 'did not create|was not created by IoBench' }
        @{ Command = 'Test-IoIntegrity'; Name = 'a small file'; Call = { Test-IoIntegrity (Join-Path $folder 'checked.dat') -FileSize 2MB -Duration 0.1 -WarmUp 0 }; Says = 'might fit into a cache' }
        @{ Command = 'New-IoTestFile'; Name = 'a file of others'; Call = { New-IoTestFile $theirs -FileSize 1MB }; Says = 'did not create|was not created by IoBench' }
        @{ Command = 'New-IoTestFile'; Name = 'a size that is too large'; Call = { New-IoTestFile (Join-Path $folder 'large.dat') -FileSize $tooLarge }; Says = 'must remain free|needs' }
        @{ Command = 'Remove-IoTestFile'; Name = 'a file of others'; Call = { Remove-IoTestFile $theirs }; Says = 'was not created by IoBench' }
        @{ Command = 'Invoke-IoTest'; Name = 'a file of others'; Call = { Invoke-IoTest $theirs -WritePercent 100 }; Says = 'did not create|was not created by IoBench' }
        @{ Command = 'Invoke-IoTest'; Name = 'a small file'; Call = { Invoke-IoTest (Join-Path $folder 'run.dat') -FileSize 2MB -Duration 0.1 -WarmUp 0 }; Says = 'might fit into a cache' }
    )
    $null = $cases
}

BeforeAll {
    . (Join-Path $PSScriptRoot 'Common.ps1')
    $folder = [System.IO.Directory]::CreateDirectory((Join-Path $TestDrive 'advice')).FullName
    $theirs, $mdf = (Join-Path $folder 'theirs.dat'), (Join-Path $folder 'theirs.mdf')
    foreach ($file in $theirs, $mdf) { [System.IO.File]::WriteAllBytes($file, [byte[]]::new(2MB)) }
    # More than may be taken, and less than there is.
    $tooLarge = [System.IO.DriveInfo]::new($folder).AvailableFreeSpace - 64MB
    $null = $tooLarge
}

Describe 'What <Command> says to <Name>' -ForEach $cases {
    It 'names no parameter that it does not have' {
        $said = try { & $Call 2>&1 3>&1 6>&1 } catch { $_ }
        $texts = @($said | Where-Object { $_ -is [System.Management.Automation.ErrorRecord] -or $_ -is [System.Management.Automation.WarningRecord] -or $_ -is [System.Management.Automation.InformationRecord] }).ForEach({ $_.Exception.Message ?? "$_" })
        "$texts" | Should -Match $Says
        foreach ($text in $texts) {
            $about = Get-Command $Command -Module IoBench
            foreach ($word in [regex]::Matches($text, '(?<![\w/\\.-])(?<parameter>-\p{Lu}\w+)|(?<cmdlet>\p{Lu}\w+-Io\w+)')) {
                if ($word.Groups['cmdlet'].Success) { $about = Get-Command $word.Value -Module IoBench; continue }
                $about.Parameters.Keys | Should -Contain $word.Value.Substring(1) -Because $text
            }
        }
    }
}
